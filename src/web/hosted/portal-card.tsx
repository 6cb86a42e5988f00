import type { VNode } from 'preact';
import type { PaymentMethod } from '../../state/records.ts';
import { Button } from '../forms.tsx';
import { Section } from '../parts.tsx';
import { CardFields } from './card-fields.tsx';
import { usePortal, useProblem } from './portal.ts';
import { PortalForm } from './portal-form.tsx';

/** The card that renewals and automatic top-ups are paid with. */
export function SavedCard(): VNode {
  const { payment_method } = usePortal().customer;
  const problem = useProblem('card');
  return (
    <Section id="card" title="Saved card" isLandmark>
      <p data-testid="saved-card">
        {payment_method
          ? `${savedText(payment_method)} pays renewals and automatic top-ups.`
          : 'None is saved. A card that pays is saved automatically.'}
      </p>
      {payment_method && (
        <PortalForm action="card/remove">
          <Button isSecondary>Remove</Button>
        </PortalForm>
      )}
      <details open={problem !== undefined}>
        <summary>{payment_method ? 'Replace it' : 'Save a card'}</summary>
        <PortalForm action="card" problem={problem} label="Card">
          <CardFields {...problem?.card} />
          <Button>Save card</Button>
        </PortalForm>
      </details>
    </Section>
  );
}

function savedText({ kind, last4 }: PaymentMethod): string {
  return kind === 'card' ? `The card ending in ${last4}` : `The bank account ending in ${last4}`;
}
