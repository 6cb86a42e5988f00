import type { VNode } from 'preact';
import { findCurrency } from '../../domain/currencies.ts';
import { findAsset } from '../../resources/assets/asset-lookup.ts';
import type { Context } from '../../resources/context.ts';
import type { AutoTopUpRow, WalletAccountRow } from '../../state/records.ts';
import { Button, Choice, Field } from '../forms.tsx';
import { Alert } from '../parts.tsx';
import { accountText } from './account-text.ts';
import { PortalForm, problemOf } from './portal-form.tsx';
import type { PortalProps } from './portal-page.tsx';

type AutoTopUpProps = PortalProps & { readonly account: WalletAccountRow };

/** Turns the automatic top-up of one account on and off. */
export function AutoTopUpForm({ account, ...props }: AutoTopUpProps): VNode {
  const { context, visit } = props;
  const { account_id, asset } = account;
  const rule = context.tables.auto_top_ups.get(account.id);
  const problem = problemOf(props, `auto-top-up ${account_id}`);
  const currencies = currenciesFor(context, asset);
  const { threshold, amount, currency } = problem?.values ?? { ...rule };
  const isOn = rule !== undefined || problem !== undefined;
  if (currencies.length === 0) return <p>It cannot be topped up: {asset} has no price.</p>;
  return (
    <details open={isOn}>
      <summary>Automatic top-up: {rule ? 'on' : 'off'}</summary>
      <PortalForm
        visit={visit}
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
          <AmountField label={`Threshold in ${asset}`} name="threshold" value={threshold} />
          <AmountField label="Pay each time" name="amount" value={amount} />
          <Choice label="Currency" name="currency" options={currencies} chosen={currency} />
        </div>
        <Button isSecondary>Save</Button>
      </PortalForm>
    </details>
  );
}

interface AmountFieldProps {
  readonly label: string;
  readonly name: string;
  readonly value: string | undefined;
  readonly testId?: string;
}

export function AmountField({ testId, value = '', ...field }: AmountFieldProps): VNode {
  return <Field {...field} inputmode="decimal" value={value} data-testid={testId} />;
}

const REFUSAL_TEXTS: Readonly<Record<string, string>> = {
  no_payment_method: 'No card is saved, so nothing was paid. Save one below.',
  not_possible: 'The amount cannot buy credit at present, so nothing was paid.',
};

/** Why an automatic top-up does nothing, where that is so. */
function Refusal({ rule }: { readonly rule: AutoTopUpRow | undefined }): VNode | null {
  if (!rule?.refused) return null;
  const text = REFUSAL_TEXTS[rule.refused.reason];
  return <Alert text={text ?? 'The saved card was declined. Save another one below.'} />;
}

/** The currencies in which credit of an asset can be paid at present. @assumes A-1102 */
export function currenciesFor(context: Context, asset: string): string[] {
  const rates = Object.keys(findAsset(context, asset)?.schedules ?? {});
  return findCurrency(asset) ? [asset, ...rates] : rates;
}
