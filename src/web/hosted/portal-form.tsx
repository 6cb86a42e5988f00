import type { ComponentChildren, VNode } from 'preact';
import { visitPath } from '../../resources/payments/portal-visits.ts';
import { Alert } from '../parts.tsx';
import type { FormProblem, PortalProps } from './portal-page.tsx';

type PortalFormProps = Pick<PortalProps, 'visit'> & {
  readonly action: 'top-up' | 'card' | 'card/remove' | 'auto-top-up';
  /** Why it comes back, where it does. */
  readonly problem?: FormProblem | undefined;
  readonly label?: string;
  readonly testId?: string;
  readonly children: ComponentChildren;
};

/** A form of the portal. What it was sent with is judged by the emulator, not by the browser. */
export function PortalForm(props: PortalFormProps): VNode {
  const { visit, action, problem, label, testId, children } = props;
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

/** Why the form of a name comes back; undefined where it does not. */
export function problemOf({ problem }: PortalProps, form: string): FormProblem | undefined {
  return problem?.form === form ? problem : undefined;
}
