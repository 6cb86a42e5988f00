import type { VNode } from 'preact';
import type { AutoTopUpRow, WalletAccountRow } from '../../state/records.ts';
import { Button, Choice } from '../forms.tsx';
import { Alert } from '../parts.tsx';
import { accountText, type FormProblem, usePortal, useProblem } from './portal.ts';
import { PortalForm } from './portal-form.tsx';
import { AmountField } from './portal-top-up.tsx';

interface AutoTopUpProps {
  readonly account: WalletAccountRow;
  /** Currencies in which it can be paid. */
  readonly currencies: readonly string[];
}

/** Turns the automatic top-up of one account on and off. */
export function AutoTopUpForm({ account, currencies }: AutoTopUpProps): VNode {
  const { context } = usePortal();
  const { account_id, asset } = account;
  const rule = context.tables.auto_top_ups.get(account.id);
  const problem = useProblem(`auto-top-up ${account_id}`);
  const values: FormProblem['values'] = problem?.values ?? { ...rule };
  const field = (name: 'threshold' | 'amount', label: string) => (
    <AmountField label={label} name={name} value={values[name]} isWrong={problem?.wrong === name} />
  );
  const isOn = rule !== undefined || problem !== undefined;
  return (
    <details open={isOn}>
      <summary>Automatic top-up: {rule ? 'on' : 'off'}</summary>
      <PortalForm
        action="auto-top-up"
        problem={problem}
        label={`Automatic top-up of ${accountText(context, account)}`}
        testId={`auto-top-up-${account_id}`}
      >
        <Refusal rule={rule} />
        <input type="hidden" name="account" value={account_id} />
        <label>
          <input type="checkbox" name="on" checked={isOn} />
          Top up automatically
        </label>
        <div class="grid">
          {field('threshold', `Threshold in ${asset}`)}
          {field('amount', 'Pay each time')}
          <Choice label="Currency" name="currency" options={currencies} chosen={values.currency} />
        </div>
        <Button isSecondary>Save</Button>
      </PortalForm>
    </details>
  );
}

const REFUSAL_TEXTS: Readonly<Record<string, string>> = {
  no_payment_method: 'No card is saved, so nothing was paid. Save one above.',
  not_possible: 'The amount cannot buy credit at present, so nothing was paid.',
};

/** Why an automatic top-up does nothing, where that is so. */
function Refusal({ rule }: { readonly rule: AutoTopUpRow | undefined }): VNode | null {
  if (!rule?.refused) return null;
  const text = REFUSAL_TEXTS[rule.refused.reason];
  return <Alert text={text ?? 'The saved card was declined. Save another one above.'} />;
}
