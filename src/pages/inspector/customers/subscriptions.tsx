import { rowsOf } from '../../../store/query.ts';
import type { SubscriptionRow } from '../../../store/records.ts';
import { checkoutPath } from '../../hosted/payment-link.tsx';
import { Badge, Section } from '../../parts.tsx';
import { SubscriptionPrice } from '../../prices.tsx';
import { distanceText, Time } from '../../time.tsx';
import { useRequest } from '../inspector-request.ts';
import { type CustomerProps, ProductLink, SendLink } from '../links.tsx';

const MAX_SUBSCRIPTIONS = 20;

/** The customer's latest subscriptions, newest first, each with its price and next renewal. */
export function Subscriptions({ customer }: CustomerProps) {
  const { world, contextOf } = useRequest();
  const rows = rowsOf(world.tables.subscriptions, { customer_id: customer.id });
  return (
    <Section id="subscriptions" title="Subscriptions">
      {rows.length === 0 && <p class="muted">No subscriptions yet.</p>}
      <ul class="rows">
        {rows
          .slice(-MAX_SUBSCRIPTIONS)
          .toReversed()
          .map((row) => (
            <li key={row.id} id={row.id}>
              <div class="row">
                <span>
                  {row.products.map((product, place) => [
                    place > 0 && ', ',
                    <ProductLink key={product.id} product={product} />,
                  ])}{' '}
                  {row.status !== 'inactive' && (
                    <SubscriptionPrice context={contextOf(row.owner)} subscription={row} />
                  )}
                </span>
                <Badge text={row.status.replaceAll('_', ' ')} />
              </div>
              {row.status !== 'inactive' && <Next row={row} />}
            </li>
          ))}
      </ul>
    </Section>
  );
}

/** The next renewal of a subscription that has not ended, its payment and its change. */
function Next({ row }: { readonly row: SubscriptionRow }) {
  const { world, isReadOnly } = useRequest();
  const { id, customer_id, status, payment, renews_at } = row;
  const change = { operation: 'updateSubscription', customerId: customer_id, subscriptionId: id };
  return (
    <small class="row">
      <span class="muted">
        {status === 'active' && renews_at !== undefined && (
          <>
            renews <Time at={renews_at} as="day" />, {distanceText(renews_at, world.now)}
          </>
        )}
      </span>
      <span>
        {!isReadOnly && status === 'action_required' && payment && (
          <a href={checkoutPath(payment.token)}>Pay now</a>
        )}{' '}
        <SendLink isPlain to={change}>
          Change
        </SendLink>
      </span>
    </small>
  );
}
