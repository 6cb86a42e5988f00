import type { ControlReply } from '../../../control/context.ts';
import { groupBy } from '../../../domain/collections.ts';
import type { Context } from '../../../resources/context.ts';
import { Amount, sumsByAsset } from '../../amount.tsx';
import { TableSection } from '../../data-table.tsx';
import { Section } from '../../parts.tsx';
import { Time } from '../../time.tsx';
import { quantity } from '../../wording.ts';
import { useRequest } from '../inspector-request.ts';
import { AccountName, CustomerLink } from '../links.tsx';
import { Item, kindText } from './agenda.tsx';

export type AdvanceReply = Extract<ControlReply<'advanceClock'>, { status: 200 }>['body'];

const MAX_ITEMS = 100;

/** What an advance did, or what it would do: in one line, then item by item. */
export function AdvanceReport({ advance }: { readonly advance: AdvanceReply }) {
  const { from, now, dry_run, total_count, items } = advance;
  const { contextOf } = useRequest();
  const title = dry_run ? 'What will happen' : 'What happened';
  const head = (
    <p data-testid="summary">
      <Time as="exact" at={from} /> to <Time as="exact" at={now} />:{' '}
      {total_count === 0 ? 'nothing is due' : <strong>{summaryOf(advance, contextOf())}</strong>}.
    </p>
  );
  if (items.length === 0)
    return (
      <Section id="done" title={title}>
        {head}
      </Section>
    );
  return (
    <TableSection
      id="done"
      title={title}
      before={head}
      rows={items}
      total={total_count}
      most={MAX_ITEMS}
      columns={{
        What: (item) => [<Item item={item} />, item.outcome !== undefined && ` ${item.outcome}`],
        Customer: ({ customer_id }) => <CustomerLink id={customer_id} />,
        '#Fee': ({ fee }) => fee && <Amount amount={String(fee.amount)} asset={fee.currency} />,
        Movements: (item) => <Movements item={item} />,
        '^When': ({ at }) => <Time as="exact" at={at} />,
      }}
    />
  );
}

/** Counts the items by kind, with the sum of their fees, such as `12 renewals, $588.00; 3 credit ends`. */
function summaryOf({ items, total_count }: AdvanceReply, context: Context): string {
  const kinds = [...groupBy(items, ({ kind }) => kind)].map(([kind, group]) => {
    const fees = group.flatMap(({ fee }) =>
      fee ? { amount: String(fee.amount), asset: fee.currency } : [],
    );
    const sums = sumsByAsset(fees).map(({ amount, asset }) => quantity(context, amount, asset));
    return [`${group.length} × ${kindText(kind)}`, ...sums].join(', ');
  });
  const rest = total_count - items.length;
  return [...kinds, ...(rest > 0 ? [`${rest} more`] : [])].join('; ');
}

function Movements({
  item: { owner, movements },
}: {
  readonly item: AdvanceReply['items'][number];
}) {
  return (
    <>
      {movements.map(({ transaction_id, account_id, amount, asset }) => (
        <div key={transaction_id}>
          <AccountName id={account_id} asset={asset} />{' '}
          <Amount isSigned amount={String(amount)} asset={asset} {...(owner && { owner })} />
        </div>
      ))}
    </>
  );
}
