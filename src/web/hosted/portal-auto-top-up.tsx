import type { VNode } from 'preact';
import { findCurrency } from '../../domain/currencies.ts';
import { findAsset } from '../../resources/assets/asset-lookup.ts';
import type { Context } from '../../resources/context.ts';
import { visitPath } from '../../resources/payments/portal-visits.ts';
import type { AutoTopUpRow, WalletAccountRow } from '../../state/records.ts';
import { Alert } from '../parts.tsx';
import { accountText } from './account-text.ts';
import type { PortalProps } from './portal-page.tsx';

/** Turns the automatic top-up of one account on and off. */
export function AutoTopUpForm({
  context,
  visit,
  problem,
  account,
}: PortalProps & { readonly account: WalletAccountRow }): VNode {
  const { account_id, asset } = account;
  const rule = context.tables.auto_top_ups.get(account.id);
  const ours = problem?.form === `auto-top-up ${account_id}` ? problem : undefined;
  const currencies = currenciesFor(context, asset);
  const field = (name: string): string => `${name}-${account_id}`;
  const values = ours?.values ?? { ...rule };
  if (currencies.length === 0) return <p>It cannot be topped up: {asset} has no price.</p>;
  return (
    <details open={rule !== undefined || ours !== undefined}>
      <summary>Automatic top-up: {rule ? 'on' : 'off'}</summary>
      <form
        method="post"
        action={`${visitPath(visit)}/auto-top-up`}
        aria-label={`Automatic top-up of ${accountText(context, account)}`}
        data-testid={`auto-top-up-${account_id}`}
        novalidate
      >
        {ours && <Alert text={ours.text} />}
        <Rest rule={rule} />
        <input type="hidden" name="account" value={account_id} />
        <label>
          <input type="checkbox" name="on" checked={rule !== undefined || !!ours} />
          Top up by itself
        </label>
        <div class="grid">
          <div>
            <label for={field('threshold')}>Threshold in {asset}</label>
            <input
              id={field('threshold')}
              name="threshold"
              inputmode="decimal"
              autocomplete="off"
              value={values.threshold ?? ''}
            />
          </div>
          <div>
            <label for={field('amount')}>Pay each time</label>
            <input
              id={field('amount')}
              name="amount"
              inputmode="decimal"
              autocomplete="off"
              value={values.amount ?? ''}
            />
          </div>
          <CurrencyChoice
            id={field('currency')}
            currencies={currencies}
            chosen={values.currency ?? ''}
          />
        </div>
        <button type="submit" class="secondary">
          Save
        </button>
      </form>
    </details>
  );
}

/** What an amount is paid in. One choice needs no field that asks. */
export function CurrencyChoice({
  id,
  currencies,
  chosen,
}: {
  readonly id: string;
  readonly currencies: readonly string[];
  readonly chosen: string;
}): VNode {
  return (
    <div>
      <label for={id}>Currency</label>
      <select id={id} name="currency">
        {currencies.map((currency) => (
          <option key={currency} value={currency} selected={currency === chosen}>
            {currency}
          </option>
        ))}
      </select>
    </div>
  );
}

const REFUSAL_TEXTS: Readonly<Record<string, string>> = {
  no_payment_method: 'No card is saved, so nothing was paid. Save one below.',
  not_possible: 'The amount cannot buy credit at present, so nothing was paid.',
};

/** Why an automatic top-up does nothing, where that is so. */
function Rest({ rule }: { readonly rule: AutoTopUpRow | undefined }): VNode | null {
  if (!rule?.refused) return null;
  const text = REFUSAL_TEXTS[rule.refused.reason];
  return <Alert text={text ?? 'The saved card was declined. Save another one below.'} />;
}

/** The currencies in which credit of an asset can be paid at present. @assumes A-1102 */
export function currenciesFor(context: Context, asset: string): string[] {
  const rates = Object.keys(findAsset(context, asset)?.schedules ?? {});
  return findCurrency(asset) ? [asset, ...rates] : rates;
}
