import type { Context } from '../../resources/context.ts';
import { versionsOf } from '../../resources/subscriptions/subscribed-products.ts';
import { rowsOf } from '../../store/query.ts';
import type { EntitlementRecord, SubscriptionRow } from '../../store/records.ts';
import { TableSection } from '../data-table.tsx';
import { Badge, Words } from '../parts.tsx';
import { SubscriptionPrice } from '../prices.tsx';
import { Time } from '../time.tsx';
import { cycleText, quantity } from '../wording.ts';
import { usePortal } from './portal.ts';

const MOST = 50;

/** The customer's subscriptions: products with their included credit, next renewal and price. */
export function Plan() {
  const { context, customer } = usePortal();
  const subscriptions = rowsOf(context.tables.subscriptions, { customer_id: customer.id })
    .filter(({ status }) => status !== 'inactive')
    .toReversed();
  return (
    <TableSection
      id="plan"
      title="Your plan"
      rows={subscriptions}
      most={MOST}
      columns={{
        Product: (subscription) => <Products subscription={subscription} />,
        'Next renewal': renewalOf,
        '^#Price': (subscription) => (
          <SubscriptionPrice context={context} subscription={subscription} />
        ),
      }}
      empty="No subscriptions yet."
      testId="plan-row"
    />
  );
}

function Products({ subscription }: { readonly subscription: SubscriptionRow }) {
  const { status, products } = subscription;
  const { context } = usePortal();
  return (
    <>
      {versionsOf(context, products).map(({ product_id, name, entitlements }) => (
        <div key={product_id}>
          <b>
            <Words text={name} />
          </b>
          {entitlements.map((entitlement) => (
            <div key={entitlement.name} class="muted">
              includes {creditText(context, entitlement)}
            </div>
          ))}
        </div>
      ))}
      {status === 'action_required' && <Badge text="to be paid" />}
    </>
  );
}

function creditText(context: Context, { amount, asset, lifecycle }: EntitlementRecord): string {
  const credit = quantity(context, amount, asset);
  if (!lifecycle?.refresh) return credit;
  const { duration: interval, duration_count: interval_count = 1 } = lifecycle;
  return `${credit} ${cycleText({ interval, interval_count })}`;
}

function renewalOf({ status, begins_at, renews_at }: SubscriptionRow) {
  if (status === 'action_required') return <span class="muted">once paid</span>;
  if (status !== 'scheduled') return <Time at={renews_at} as="day" none="never" />;
  return (
    <>
      starts <Time at={begins_at} as="day" />
    </>
  );
}
