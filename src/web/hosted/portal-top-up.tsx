import type { VNode } from 'preact';
import { findCurrency } from '../../domain/currencies.ts';
import { findAsset } from '../../resources/assets/asset-lookup.ts';
import type { Context } from '../../resources/context.ts';
import type { WalletAccountRow } from '../../state/records.ts';
import { Button, Choice, Field } from '../forms.tsx';
import { accountText, usePortal, useProblem } from './portal.ts';
import { PortalForm } from './portal-form.tsx';

interface TopUpFormProps {
  readonly account: Pick<WalletAccountRow, 'account_id' | 'asset' | 'name'>;
  /** Currencies in which it can be paid. */
  readonly currencies: readonly string[];
  /** What it is called where it comes back. */
  readonly form: string;
}

/** Buys credit for an account: it leads to the payment page and back. */
export function TopUpForm({ account, currencies, form }: TopUpFormProps): VNode {
  const { context } = usePortal();
  const problem = useProblem(form);
  return (
    <PortalForm
      action="top-up"
      problem={problem}
      label={`Top up ${accountText(context, account)}`}
      testId="top-up"
    >
      <input type="hidden" name="account" value={account.account_id} />
      <div class="in-line">
        <AmountField
          label="Amount"
          name="amount"
          value={problem?.values.amount}
          testId="top-up-amount"
          isWrong={problem?.wrong === 'amount'}
        />
        <Choice
          label="Currency"
          name="currency"
          options={currencies}
          chosen={problem?.values.currency}
        />
        <Button isSecondary data-testid="top-up-submit">
          Top up
        </Button>
      </div>
    </PortalForm>
  );
}

interface AmountFieldProps {
  readonly label: string;
  readonly name: string;
  readonly value: string | undefined;
  readonly testId?: string;
  readonly isWrong?: boolean;
}

/** A field for an amount, marked and in focus where a form comes back for it. */
export function AmountField(props: AmountFieldProps): VNode {
  const { testId, value = '', isWrong = false, ...field } = props;
  return (
    <Field
      {...field}
      inputmode="decimal"
      value={value}
      data-testid={testId}
      autofocus={isWrong}
      aria-invalid={isWrong || undefined}
    />
  );
}

/** The currencies in which credit of an asset can be paid at present. @assumes A-1102 */
export function currenciesFor(context: Context, asset: string): string[] {
  const rates = Object.keys(findAsset(context, asset)?.schedules ?? {});
  return findCurrency(asset) ? [asset, ...rates] : rates;
}
