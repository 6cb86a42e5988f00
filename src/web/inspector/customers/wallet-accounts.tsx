import type { VNode } from 'preact';
import { type Instant, toMillis } from '../../../domain/instant.ts';
import type { WalletAccountRow } from '../../../state/records.ts';
import { key } from '../../../state/schema.ts';
import { Amount } from '../../amount.tsx';
import { Chart, type Point } from '../../charts/chart.tsx';
import { DataTable, Shown } from '../../data-table.tsx';
import { Section } from '../../parts.tsx';
import { useServiceContext } from '../../surroundings.ts';
import { Time } from '../../time.tsx';
import { quantity } from '../../wording.ts';
import type { CustomerProps } from './customer.tsx';
import { Grants } from './grants.tsx';

const MOST_ACCOUNTS = 30;
/** So many of the latest movements are drawn, and stand in the table below. */
const MOST_MOVEMENTS = 1_000;
const MOST_IN_TABLE = 30;

/** Every account of a customer: its balance over time and its grants. */
export function Accounts({ customer }: CustomerProps): VNode {
  const { tables } = useServiceContext();
  const accounts = tables.wallet_accounts.list('customer', customer.id);
  const shown = accounts.slice(0, MOST_ACCOUNTS);
  return (
    <>
      {shown.map((account) => (
        <Account key={account.id} account={account} />
      ))}
      <Shown count={shown.length} total={accounts.length} />
    </>
  );
}

interface AccountProps {
  readonly account: WalletAccountRow;
}

function Account({ account }: AccountProps): VNode {
  const { tables } = useServiceContext();
  const { account_id: name, asset, available, customer_id } = account;
  return (
    <Section id={`account-${name}`} title={name}>
      <p data-testid="balance">
        <strong>
          <Amount amount={available} asset={asset} />
        </strong>
      </p>
      <BalanceOverTime account={account} />
      <Grants grants={tables.grants.list('account', key(customer_id, name))} />
    </Section>
  );
}

/** The balance after each of the latest movements, drawn and as a table; nothing before the first. */
function BalanceOverTime({ account }: AccountProps): VNode | null {
  const context = useServiceContext();
  const { account_id: name, asset, available, customer_id } = account;
  const amount = (given: string) => <Amount amount={given} asset={asset} />;
  const text = (amount: string) => quantity(context, amount, asset);
  const movements = context.tables.transactions
    .list('customer', customer_id)
    .slice(-MOST_MOVEMENTS)
    .filter(({ account_id }) => account_id === name);
  if (movements.length === 0) return null;
  const pointAt = (at: Instant, balance: string, since: string): Point => ({
    at: toMillis(at),
    value: Number(balance),
    title: `${text(balance)} ${since}`,
  });
  const points = movements.map((each) =>
    pointAt(each.created_at, each.balance_after, `from ${each.created_at}`),
  );
  points.push(pointAt(context.now, available, 'now'));
  return (
    <Chart
      summary={`Balance of ${name} over time: ${text(available)} now, after ${movements.length} movements.`}
      unit={asset}
      series={[{ name, points }]}
      between="steps"
    >
      <details>
        <summary>As a table</summary>
        <DataTable
          label={`Balance of ${name}`}
          rows={movements.slice(-MOST_IN_TABLE).reverse()}
          columns={{
            When: ({ created_at }) => <Time as="exact" at={created_at} />,
            '^#Balance': ({ balance_after }) => amount(balance_after),
          }}
        />
      </details>
    </Chart>
  );
}
