import type { VNode } from 'preact';
import { describeEvent, type EventExplanation } from '../../../control/explain/event.ts';
import {
  type ExplanationSection as Step,
  stepsOfFee,
  tellProduct,
} from '../../../control/explain/text.ts';
import { uuidKey } from '../../../state/schema.ts';
import type { PageAnswer } from '../../answer.ts';
import { TableSection } from '../../data-table.tsx';
import { Id } from '../../id.tsx';
import { Facts, JsonView, Section, Words } from '../../parts.tsx';
import { Time } from '../../time.tsx';
import { InspectorPage } from '../frame.tsx';
import type { InspectorRequest } from '../inspector-request.ts';
import { CustomerLink } from '../links.tsx';
import { notHere } from '../not-here.tsx';
import { RequestsBehind } from '../records/origin.tsx';

/** One usage event, and how each of its fees came about. */
export function showEvent(request: InspectorRequest): PageAnswer {
  const { world, control, parameters } = request;
  const owner = request.query('owner') || world.accountId;
  const event = world.tables.events.get(uuidKey(owner, parameters['id'] ?? ''));
  if (!event) return notHere(request);
  const explanation = describeEvent(control, event);
  return {
    page: (
      <InspectorPage request={request} section="/events" title="Usage event">
        <Facts
          facts={{
            Event: <Words text={event.event_id} />,
            Customer: <CustomerLink request={request} id={event.customer_id} />,
            Type: <Words text={event.event_type} />,
            Subject: event.subject && <Words text={event.subject} />,
            Happened: <Time as="exact" at={event.occurred_at} />,
            Submitted: <Time as="exact" at={event.created_at} />,
            Fees: feesText(explanation),
            Revenue: `${event.revenue} ${explanation.reporting_currency}`,
            Cost: `${event.cost} ${explanation.reporting_currency}`,
          }}
        />
        <JsonView label="Data" value={event.data} />
        <Products explanation={explanation} />
        <Fees explanation={explanation} />
        <WithoutFee explanation={explanation} />
        <RequestsBehind request={request} table="events" id={event.id} />
      </InspectorPage>
    ),
  };
}

interface ExplanationProps {
  readonly explanation: EventExplanation;
}

/** Why each fee came about. */
function Fees({ explanation: { fees } }: ExplanationProps): VNode {
  return (
    <>
      {fees.map((fee, place) => (
        <Section key={fee.fee_id} id={`fee-${place + 1}`} title={`Why ${fee.amount} ${fee.asset}`}>
          <p>
            <Id id={fee.fee_id} />
          </p>
          <Trace steps={stepsOfFee(fee)} />
        </Section>
      ))}
    </>
  );
}

function feesText({ fees, total_fees, fee_currency }: EventExplanation): string {
  if (fees.length === 0) return 'none';
  if (total_fees !== undefined) return `${total_fees} ${fee_currency}`;
  return fees.map(({ amount, asset }) => `${amount} ${asset}`).join(', ');
}

function Trace({ steps }: { readonly steps: readonly Step[] }): VNode {
  return (
    <ol class="trace">
      {steps.map(({ title, lines }) => (
        <li key={title}>
          <h3>{title}</h3>
          {lines.map((line) => (
            <p key={line} class={line.trimStart().startsWith('→') ? 'chosen' : undefined}>
              <bdi>{line.trim()}</bdi>
            </p>
          ))}
        </li>
      ))}
    </ol>
  );
}

function Products({ explanation }: ExplanationProps): VNode {
  const { products, subscriptions_not_asked } = explanation;
  return (
    <Section id="products" title="Products that were asked">
      {products.length === 0 && <p>None: no subscription held any.</p>}
      <ul>
        {products.map((product) => (
          <li key={`${product.code} ${product.subscription_id}`}>{tellProduct(product)}</li>
        ))}
        {subscriptions_not_asked.map(({ subscription_id, reason }) => (
          <li key={subscription_id}>
            Not <Id id={subscription_id} />: {reason}.
          </li>
        ))}
      </ul>
    </Section>
  );
}

function WithoutFee({ explanation }: ExplanationProps): VNode | null {
  if (explanation.without_fee.length === 0) return null;
  return (
    <TableSection
      id="without"
      title="Prices that gave no fee"
      rows={explanation.without_fee}
      columns={{
        Price: ({ name }) => <Words text={name} />,
        Product: ({ product_code, product_version }) =>
          `${product_code}, version ${product_version}`,
        Why: ({ reason }) => reason,
      }}
    />
  );
}
