import type { ComponentChildren } from 'preact';
import { type InspectorRequest, useRequest } from './inspector-request.ts';

interface ActionFormProps {
  /** Path of the action; absent where each button names its own. */
  readonly action?: string;
  readonly parameters?: Parameters<InspectorRequest['link']>[1];
  /** Whether its fields, or its buttons, stand in one line. */
  readonly layout?: 'line' | 'buttons' | 'small buttons';
  readonly children: ComponentChildren;
}

/** A form that changes the world; absent where it may only be looked at. */
export function ActionForm(props: ActionFormProps) {
  const { action, parameters, layout, children } = props;
  const { isReadOnly, link } = useRequest();
  if (isReadOnly) return null;
  return (
    <form method="post" action={action && link(action, parameters)} class={layout}>
      {children}
    </form>
  );
}
