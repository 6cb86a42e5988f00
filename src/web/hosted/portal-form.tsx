import type { ComponentChildren, VNode } from 'preact';
import { visitPath } from '../../resources/payments/portal-visits.ts';
import { Alert } from '../parts.tsx';
import { type FormProblem, usePortal } from './portal.ts';

interface PortalFormProps {
  readonly action: 'top-up' | 'card' | 'card/remove' | 'auto-top-up';
  /** Why it comes back, where it does. */
  readonly problem?: FormProblem | undefined;
  readonly label?: string;
  readonly testId?: string;
  readonly children: ComponentChildren;
}

/** A form of the portal. What it was sent with is judged by the emulator, not by the browser. */
export function PortalForm(props: PortalFormProps): VNode {
  const { action, problem, label, testId, children } = props;
  const { visit } = usePortal();
  return (
    <form
      method="post"
      action={`${visitPath(visit)}/${action}`}
      aria-label={label}
      data-testid={testId}
      novalidate
    >
      {problem && <Alert text={problem.text} />}
      {children}
    </form>
  );
}
