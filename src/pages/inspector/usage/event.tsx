import { describeEvent, type EventExplanation } from '../../../control/explain/event.ts';
import { presentFacts } from '../../../resources/events/present-event.ts';
import type { EventRow } from '../../../store/records.ts';
import { uuidKey } from '../../../store/schema.ts';
import { plural } from '../../../text/wording.ts';
import { Amount } from '../../amount.tsx';
import type { PageAnswer } from '../../answer.tsx';
import { JsonView } from '../../code.tsx';
import { Id, Notice } from '../../id.tsx';
import { Facts, Section, Words } from '../../parts.tsx';
import { Time } from '../../time.tsx';
import { InspectorPage } from '../frame.tsx';
import type { InspectorRequest } from '../inspector-request.ts';
import { CustomerLink, ProductLink } from '../links.tsx';
import { recordNotFound } from '../not-found.tsx';
import { RequestsBehind } from '../requests/effect.tsx';
import { warningsOf } from './events.tsx';
import { FeeFormula } from './fee-formula.tsx';
import { FeeSteps } from './fee-steps.tsx';

interface EventProps {
  readonly event: EventRow;
  readonly explanation: EventExplanation;
}

/** The page of a usage event, with an explanation of each fee. */
export function showEvent(request: InspectorRequest): PageAnswer {
  const { world, control, parameters } = request;
  const owner = request.query('owner') || world.accountId;
  const event = world.tables.events.get(uuidKey(owner, parameters['id'] ?? ''));
  if (!event) return recordNotFound(request);
  const explanation = describeEvent(control, event);
  const props = { event, explanation };
  return (
    <InspectorPage
      request={request}
      owner={owner}
      section="usage"
      title="Usage event"
      heading={<Question {...props} />}
      path={<Id id={event.event_id} canCopy />}
    >
      <About {...props} />
      {warningsOf(request, event).map(({ id, message }) => (
        <Notice key={id} text={message} tone="warn" />
      ))}
      <div class="columns wide-first">
        <div>
          <Fees {...props} />
          <Section id="products" title="Products and prices">
            <Asked {...props} />
            <WithoutFee {...props} />
          </Section>
        </div>
        <div>
          <Origin {...props} />
          <Section id="data" title="Data">
            <JsonView label="Data" value={presentFacts(event.data)} />
          </Section>
        </div>
      </div>
      <RequestsBehind table="events" id={event.id} />
    </InspectorPage>
  );
}

/** The heading: why this fee, these fees, or no fee. */
function Question({ event: { fees, total_fees, fee_currency } }: EventProps) {
  if (fees.length === 0) return <>Why no fee</>;
  const [fee] = fees;
  const amount = fees.length === 1 ? fee?.amount : total_fees;
  const asset = fees.length === 1 ? fee?.terms.currency : fee_currency;
  if (amount === undefined || asset === undefined) return <>Why {fees.length} fees</>;
  return (
    <>
      Why <Amount amount={amount} asset={asset} />
    </>
  );
}

function About({ event }: EventProps) {
  return (
    <div class="about">
      <Words text={event.event_type} />
      <CustomerLink id={event.customer_id} />
      {event.description !== undefined && <Words text={event.description} />}
      {event.subject !== undefined && <Words text={event.subject} />}
      <Time as="exact" at={event.occurred_at} />
    </div>
  );
}

function Fees({ event, explanation }: EventProps) {
  const isOnly = event.fees.length === 1;
  return (
    <>
      {event.fees.map((fee, place) => {
        const explained = explanation.fees[place] as EventExplanation['fees'][number];
        return (
          <Section
            key={fee.id}
            id={`fee-${place + 1}`}
            title={isOnly ? 'Step by step' : `Fee ${place + 1} of ${event.fees.length}`}
          >
            <FeeFormula explanation={explained} />
            <FeeSteps explanation={explained} />
          </Section>
        );
      })}
    </>
  );
}

function Origin({ event, explanation }: EventProps) {
  const { reporting_currency: currency } = explanation;
  return (
    <Section id="origins" title="Source">
      <Facts
        facts={{
          Submitted: <Time as="exact" at={event.created_at} />,
          Fee: event.fees.length > 0 && event.fees.map(({ id }) => <Id key={id} id={id} canCopy />),
          Revenue: <Amount amount={event.revenue} asset={currency} />,
          Cost: <Amount amount={event.cost} asset={currency} />,
        }}
      />
    </Section>
  );
}

/** The products that were considered, and the subscriptions that were not, with the reason; folded below a fee. */
function Asked({ event, explanation }: EventProps) {
  const { products, subscriptions_not_asked } = explanation;
  return (
    <details open={event.fees.length === 0}>
      <summary>{plural(products.length, 'product')} considered</summary>
      <ul class="rows">
        {products.map((product) => (
          <li key={`${product.code} ${product.subscription_id}`}>
            <ProductLink product={{ ...product, id: product.product_id }} /> held since{' '}
            <Time at={product.since} /> by the subscription <Id id={product.subscription_id} />
            {product.past_due && ', past due'}
            {product.reason !== undefined && `: not considered, because ${product.reason}`}
          </li>
        ))}
        {subscriptions_not_asked.map(({ subscription_id, reason }) => (
          <li key={subscription_id}>
            Not by the subscription <Id id={subscription_id} />: {reason}.
          </li>
        ))}
      </ul>
    </details>
  );
}

function WithoutFee({ event, explanation }: EventProps) {
  const { without_fee } = explanation;
  if (without_fee.length === 0) return null;
  return (
    <details open={event.fees.length === 0}>
      <summary>{plural(without_fee.length, 'price')} without a fee</summary>
      <ul class="rows">
        {without_fee.map(({ name, product_code, reason }) => (
          <li key={`${product_code} ${name}`}>
            <Words text={name} /> of <Words text={product_code} />: {reason}
          </li>
        ))}
      </ul>
    </details>
  );
}
