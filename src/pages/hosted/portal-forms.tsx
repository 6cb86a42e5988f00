import type { ComponentChildren } from 'preact';
import { findCurrency } from '../../domain/currencies.ts';
import { findAsset } from '../../resources/assets/asset-lookup.ts';
import type { Context } from '../../resources/context.ts';
import { visitPath } from '../../resources/links.ts';
import type { WalletAccountRow } from '../../store/records.ts';
import { Button, Choice, Field, fieldText } from '../forms.tsx';
import { Alert, Section } from '../parts.tsx';
import { CardFields } from './card-form.tsx';
import { methodText } from './payment-state.tsx';
import { accountText, type FormProblem, usePortal, useProblem } from './portal.ts';

interface PortalFormProps {
  readonly action: 'top-up' | 'card' | 'card/remove' | 'auto-top-up';
  /** The error, if the form was refused. */
  readonly problem?: FormProblem | undefined;
  readonly label?: string;
  readonly testId?: string;
  readonly children: ComponentChildren;
}

/** A form of the portal. The server validates it, not the browser. */
function PortalForm(props: PortalFormProps) {
  const { action, problem, label, testId, children } = props;
  const { link } = usePortal();
  return (
    <form
      method="post"
      action={`${visitPath(link)}/${action}`}
      aria-label={label}
      data-testid={testId}
      novalidate
    >
      {problem && <Alert text={problem.text} />}
      {children}
    </form>
  );
}

/** The saved card, which pays renewals and automatic top-ups. */
export function SavedCard() {
  const { payment_method } = usePortal().customer;
  const problem = useProblem('card');
  return (
    <Section id="card" title="Payment method">
      <p data-testid="saved-card">
        {payment_method
          ? `${methodText(payment_method)} pays renewals and automatic top-ups.`
          : 'No card is saved. A card you pay with is saved automatically.'}
      </p>
      <div class="buttons">
        <details open={problem !== undefined}>
          <summary class="button secondary">
            {payment_method ? 'Replace the card' : 'Save a card'}
          </summary>
          <PortalForm action="card" problem={problem} label="Card">
            <CardFields {...problem?.card} />
            <Button isMain>Save card</Button>
          </PortalForm>
        </details>
        {payment_method && (
          <PortalForm action="card/remove">
            <Button>Remove</Button>
          </PortalForm>
        )}
      </div>
    </Section>
  );
}

interface TopUpFormProps {
  readonly account: Pick<WalletAccountRow, 'account_id' | 'asset' | 'name'>;
  /** Currencies in which credit can be bought. */
  readonly currencies: readonly string[];
  /** The name of the form, to show its errors in it. */
  readonly form: string;
}

/** A form that buys credit for an account. It leads to the payment page, which leads back. */
export function TopUpForm({ account, currencies, form }: TopUpFormProps) {
  const { context, body } = usePortal();
  const problem = useProblem(form);
  return (
    <PortalForm
      action="top-up"
      problem={problem}
      label={`Top up ${accountText(context, account)}`}
      testId="top-up"
    >
      <input type="hidden" name="account" value={account.account_id} />
      <div class="line">
        <Field
          label="Amount to pay"
          value={problem && fieldText(body, 'amount')}
          name="amount"
          inputmode="decimal"
          autofocus={problem !== undefined}
          testId="top-up-amount"
        />
        <Choice
          label="Currency"
          name="currency"
          options={currencies}
          chosen={problem && fieldText(body, 'currency')}
        />
        <Button data-testid="top-up-submit">Top up</Button>
      </div>
    </PortalForm>
  );
}

/** Returns the currencies in which credit of an asset can be bought now. @assumes A-1102 */
export function currenciesFor(context: Context, asset: string): string[] {
  const rates = Object.keys(findAsset(context, asset)?.schedules ?? {});
  return findCurrency(asset) ? [asset, ...rates] : rates;
}

interface AutoTopUpProps {
  readonly account: WalletAccountRow;
  /** Currencies in which credit can be bought. */
  readonly currencies: readonly string[];
}

/** Turns the automatic top-up of an account on and off. */
export function AutoTopUpForm({ account, currencies }: AutoTopUpProps) {
  const { context, body } = usePortal();
  const { account_id, asset } = account;
  const rule = context.tables.auto_top_ups.get(account.id);
  const problem = useProblem(`auto-top-up ${account_id}`);
  const startOf = (name: 'threshold' | 'amount' | 'currency') =>
    problem ? fieldText(body, name) : rule?.[name];
  const field = (name: 'threshold' | 'amount', label: string) => (
    <Field label={label} name={name} inputmode="decimal" value={startOf(name)} />
  );
  const currency = startOf('currency');
  const refused = rule?.refused?.replaceAll('_', ' ');
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
        {refused && <Alert text={`The latest automatic top-up was not paid: ${refused}.`} />}
        <input type="hidden" name="account" value={account_id} />
        <label>
          <input type="checkbox" name="on" checked={isOn} />
          Top up automatically
        </label>
        <div class="grid">
          {field('threshold', `Threshold in ${asset}`)}
          {field('amount', 'Pay each time')}
          <Choice label="Currency" name="currency" options={currencies} chosen={currency} />
        </div>
        <Button>Save</Button>
      </PortalForm>
    </details>
  );
}
