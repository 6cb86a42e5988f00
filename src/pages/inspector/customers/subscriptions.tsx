import { rowsOf } from '../../../store/query/query.ts';
import type { SubscriptionRow } from '../../../store/records.ts';
import { checkoutPath } from '../../hosted/payment-link.tsx';
import { Id } from '../../id.tsx';
import { Badge, Section } from '../../parts.tsx';
import { SubscriptionPrice } from '../../prices.tsx';
import { distanceText, Time } from '../../time.tsx';
import { useRequest } from '../inspector-request.ts';
import { type CustomerProps, ProductLink, SendLink } from '../links.tsx';

const MAX_SUBSCRIPTIONS = 20;

/** The customer's latest subscriptions, each with its price and next renewal. */
export function Subscriptions({ customer }: CustomerProps) {
  const { world } = useRequest();
  const rows = rowsOf(world.tables.subscriptions, { customer_id: customer.id });
  return (
    <Section id="subscriptions" title="Subscriptions">
      {rows.length === 0 && <p class="muted">No subscriptions yet.</p>}
      <ul class="rows">
        {rows.slice(-MAX_SUBSCRIPTIONS).map((row) => (
          <li key={row.id} id={row.id}>
            <div class="row">
              <span>
                {row.products.map((product, place) => [
                  place > 0 && ', ',
                  <ProductLink key={product.id} product={product} />,
                ])}
              </span>
              <Badge text={row.status.replaceAll('_', ' ')} />
            </div>
            <Terms row={row} />
          </li>
        ))}
      </ul>
    </Section>
  );
}

/** The price and the next renewal of a subscription that has not ended. */
function Terms({ row }: { readonly row: SubscriptionRow }) {
  const { world, contextOf } = useRequest();
  const { id, owner, status, renews_at } = row;
  return (
    <>
      <div class="row">
        <span>
          {status !== 'inactive' && (
            <SubscriptionPrice context={contextOf(owner)} subscription={row} />
          )}
        </span>
        <Id id={id} />
      </div>
      {status !== 'inactive' && <Actions row={row} />}
      {status === 'active' && renews_at !== undefined && (
        <small class="muted">
          renews <Time at={renews_at} />, {distanceText(renews_at, world.now)}
        </small>
      )}
    </>
  );
}

/** Payment and change of a subscription. */
function Actions({ row: { id, customer_id, status, payment } }: { readonly row: SubscriptionRow }) {
  const { isReadOnly } = useRequest();
  const change = { operation: 'updateSubscription', customerId: customer_id, subscriptionId: id };
  return (
    <small>
      {!isReadOnly && status === 'action_required' && payment && (
        <a href={checkoutPath(payment.token)}>Pay now</a>
      )}{' '}
      <SendLink isPlain to={change}>
        Change
      </SendLink>{' '}
    </small>
  );
}
