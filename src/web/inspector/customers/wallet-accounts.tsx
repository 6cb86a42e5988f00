import type { VNode } from 'preact';
import { toMillis } from '../../../domain/instant.ts';
import type { Context } from '../../../resources/context.ts';
import type { WalletAccountRow } from '../../../state/records.ts';
import { key } from '../../../state/schema.ts';
import { Amount } from '../../amount.tsx';
import { Chart, type Point } from '../../chart.tsx';
import { DataTable, Shown } from '../../data-table.tsx';
import { Section } from '../../parts.tsx';
import { Time } from '../../time.tsx';
import { quantity } from '../../wording.ts';
import type { CustomerProps } from './customer.tsx';
import { Grants } from './grants.tsx';

const MOST_ACCOUNTS = 30;
/** So many of the latest movements are drawn, and stand in the table below. */
const MOST_MOVEMENTS = 1_000;
const MOST_IN_TABLE = 30;

/** Every account of a customer: its balance over time and its grants. */
export function Accounts({ request, customer }: CustomerProps): VNode {
  const accounts = request.world.tables.wallet_accounts.list('customer', customer.id);
  const shown = accounts.slice(0, MOST_ACCOUNTS);
  const context = request.contextOf(customer.owner);
  return (
    <>
      {shown.map((account) => (
        <Account key={account.id} context={context} account={account} />
      ))}
      <Shown count={shown.length} total={accounts.length} />
    </>
  );
}

interface AccountProps {
  readonly context: Context;
  readonly account: WalletAccountRow;
}

function Account({ context, account }: AccountProps): VNode {
  const { account_id: name, asset, available, customer_id } = account;
  const text = (amount: string) => quantity(context, amount, asset);
  const movements = context.tables.transactions
    .list('customer', customer_id)
    .slice(-MOST_MOVEMENTS)
    .filter(({ account_id }) => account_id === name);
  const points = movements.map(
    ({ created_at, balance_after }): Point => ({
      at: toMillis(created_at),
      value: Number(balance_after),
      title: `${text(balance_after)} from ${created_at}`,
    }),
  );
  const now = {
    at: toMillis(context.now),
    value: Number(available),
    title: `${text(available)} now`,
  };
  return (
    <Section id={`account-${name}`} title={name}>
      <p data-testid="balance">
        <strong>
          <Amount context={context} amount={available} asset={asset} />
        </strong>
      </p>
      {points.length > 0 && (
        <Chart
          summary={`Balance of ${name} over time: ${text(available)} now, after ${points.length} movements.`}
          unit={asset}
          series={[{ name, points: [...points, now] }]}
          between="steps"
        >
          <details>
            <summary>As a table</summary>
            <DataTable
              label={`Balance of ${name}`}
              rows={movements.slice(-MOST_IN_TABLE).reverse()}
              columns={{
                When: ({ created_at }) => <Time as="exact" at={created_at} />,
                '^#Balance': ({ balance_after }) => (
                  <Amount context={context} amount={balance_after} asset={asset} />
                ),
              }}
            />
          </details>
        </Chart>
      )}
      <Grants
        context={context}
        grants={context.tables.grants.list('account', key(customer_id, name))}
      />
    </Section>
  );
}
