import type { ControlReply } from '../../../control/context.ts';
import { groupBy } from '../../../domain/collections.ts';
import type { Context } from '../../../resources/context.ts';
import { plural } from '../../../text/wording.ts';
import { Amount, amountLines, sumsByAsset } from '../../amount.tsx';
import { DataTable } from '../../data-table.tsx';
import { Section } from '../../parts.tsx';
import { Time } from '../../time.tsx';
import { quantity } from '../../wording.ts';
import { useRequest } from '../inspector-request.ts';
import { CustomerLink } from '../links.tsx';
import { dueWords, Item } from './agenda.tsx';

export type AdvanceReply = Extract<ControlReply<'advanceClock'>, { status: 200 }>['body'];

const MAX_REPORTED = 100;

/** What an advance did, or what it would do: in one line, then item by item. */
export function AdvanceReport({ advance }: { readonly advance: AdvanceReply }) {
  const { from, now, dry_run, total_count, items } = advance;
  const { contextOf } = useRequest();
  return (
    <Section id="done" title={dry_run ? 'What will happen' : 'What happened'}>
      <p>
        <Time as="exact" at={from} /> to <Time as="exact" at={now} />:{' '}
        {total_count === 0 ? 'nothing is due' : <strong>{summaryOf(advance, contextOf())}</strong>}.
      </p>
      {items.length > 0 && (
        <DataTable
          label="Items"
          rows={items}
          total={total_count}
          most={MAX_REPORTED}
          time={{ of: ({ at }) => at }}
          columns={{
            What: (item) => [
              <Item item={item} />,
              item.outcome && `, ${item.outcome.replaceAll('_', ' ')}`,
            ],
            '~Customer': ({ customer_id }) => <CustomerLink id={customer_id} />,
            '^#Amount': movedBy,
          }}
        />
      )}
    </Section>
  );
}

/** Counts the items by kind, with the sum of their fees, such as `12 renewals, $588.00; 3 credits end`. */
function summaryOf({ items, total_count }: AdvanceReply, context: Context): string {
  const kinds = [...groupBy(items, ({ kind }) => kind)].map(([kind, group]) => {
    const fees = group.flatMap(({ fee }) =>
      fee ? { amount: String(fee.amount), asset: fee.currency } : [],
    );
    const sums = sumsByAsset(fees).map(({ amount, asset }) => quantity(context, amount, asset));
    return [plural(group.length, ...dueWords(kind)), ...sums].join(', ');
  });
  const rest = total_count - items.length;
  return [...kinds, ...(rest > 0 ? [`${rest} more`] : [])].join('; ');
}

/** The fee that an item collects, else the credit that it moves. */
const movedBy = ({ fee, movements, owner }: AdvanceReply['items'][number]) =>
  fee ? (
    <Amount amount={String(fee.amount)} asset={fee.currency} />
  ) : (
    amountLines(
      movements.map(({ amount, asset }) => ({
        ...(owner && { owner }),
        amount: String(amount),
        asset,
        isSigned: true,
      })),
    )
  );
