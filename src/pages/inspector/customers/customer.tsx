import { activeSubscriptions } from '../../../resources/customers/customer-lookup.ts';
import type { CustomerRow } from '../../../store/records.ts';
import { Amount } from '../../amount.tsx';
import type { PageAnswer } from '../../answer.tsx';
import { Button } from '../../forms.tsx';
import { outstandingOf } from '../../hosted/portal.ts';
import { Id } from '../../id.tsx';
import { useServiceContext } from '../../page.tsx';
import { Badge, Facts, Section, Words } from '../../parts.tsx';
import { Time } from '../../time.tsx';
import { shortName } from '../../wording.ts';
import { InspectorPage, Live } from '../frame.tsx';
import { type InspectorRequest, useRequest } from '../inspector-request.ts';
import { ActionForm, type CustomerProps, OfAccount, SendLink } from '../links.tsx';
import { recordNotFound } from '../not-found.tsx';
import { balancesOf, profitOfCustomer } from './customers.tsx';
import { Accounts, Subscriptions } from './holdings.tsx';
import { profitFigures } from './profit.tsx';
import { Timeline } from './timeline.tsx';

/** The page of a customer: its state, timeline, subscriptions and accounts. */
export function showCustomer(request: InspectorRequest): PageAnswer {
  const customer = request.world.tables.customers.get(request.parameters['id'] ?? '');
  if (!customer) return recordNotFound(request);
  const props = { customer };
  return (
    <InspectorPage
      request={request}
      owner={customer.owner}
      section="customers"
      title={customer.name}
      heading={<Words text={customer.name} />}
      path={<Id id={customer.id} canCopy />}
      actions={<Actions {...props} />}
    >
      <About {...props} />
      <Live id="wallet">
        <Figures {...props} />
        <div class="columns wide-first">
          <Timeline {...props} />
          <div>
            <Subscriptions {...props} />
            <Accounts {...props} />
            {customer.metadata && (
              <Section id="metadata" title="Metadata">
                <Facts facts={customer.metadata} />
              </Section>
            )}
          </div>
        </div>
      </Live>
    </InspectorPage>
  );
}

function Actions({ customer }: CustomerProps) {
  const request = useRequest();
  const renewal = nextRenewal(request, customer);
  return (
    <>
      <ActionForm action="/portal">
        <Button isMain name="customer" value={customer.id}>
          Open portal
        </Button>
      </ActionForm>
      <TopUp customer={customer} />
      <MoreMenu customer={customer} />
      {renewal !== undefined && (
        <ActionForm action="/time/advance">
          <Button name="to" value={renewal}>
            Advance to next renewal
          </Button>
        </ActionForm>
      )}
    </>
  );
}

/** The form of a top-up, whose payment page leads back to the customer. */
function TopUp({ customer: { id } }: CustomerProps) {
  const { control, link } = useRequest();
  const { reporting_currency: currency } = control.settings;
  const back = control.baseUrl + link('customer', { id });
  const order = {
    customer_id: id,
    currency,
    destination: JSON.stringify({ asset: currency }),
    description: 'Top-up',
    return_url: back,
    failure_url: back,
  };
  return <SendLink to={{ operation: 'createTopUp', ...order }}>Top up</SendLink>;
}

/** What the service can do for a customer, each with a form made from the document. */
const MORE = {
  adjustWallet: 'Give or take credit',
  submitEvents: 'Submit usage',
  createSubscription: 'Subscribe',
  chargeWallet: 'Charge',
  updateCustomer: 'Edit',
} as const;

function MoreMenu({ customer: { id } }: CustomerProps) {
  return (
    <details class="menu">
      <summary class="button secondary">More</summary>
      <div class="sheet">
        {Object.entries(MORE).map(([operation, name]) => (
          <SendLink
            key={operation}
            isPlain
            to={{ operation, fill: 'required', customerId: id, customer_id: id }}
          >
            {name}
          </SendLink>
        ))}
      </div>
    </details>
  );
}

function nextRenewal({ world }: InspectorRequest, { id }: CustomerRow) {
  const renewals = activeSubscriptions(world.tables, id).flatMap(
    ({ renews_at }) => renews_at ?? [],
  );
  return renewals.sort()[0];
}

function About({ customer }: CustomerProps) {
  const { world, link } = useRequest();
  const { id, external_id, email, created_at, owner } = customer;
  return (
    <div class="about">
      <Badge text={activeSubscriptions(world.tables, id)[0] ? 'active' : 'no subscription'} />
      {external_id !== undefined && <Words text={external_id} />}
      {email !== undefined && <Words text={email} />}
      <span>
        since <Time at={created_at} />
      </span>
      <OfAccount id={owner} />
      <a href={link('usage', { q: `customer:${id}` })}>Usage</a>
      <a href={link('ledger', { q: `customer:${id}` })}>Ledger</a>
    </div>
  );
}

function Figures({ customer }: CustomerProps) {
  const request = useRequest();
  const balances = balancesOf(request, customer).map((each) => [
    `Balance ${each.asset}`,
    <Amount {...each} />,
  ]);
  const owed = outstandingOf(useServiceContext(), customer).map((each) => [
    `Owed: ${shortName(each.name)}`,
    <span class="amount owed">
      <Amount amount={each.amount} asset={each.currency} />
    </span>,
  ]);
  return (
    <Facts
      areFigures
      facts={{
        ...Object.fromEntries(balances.slice(0, MAX_FIGURES)),
        ...Object.fromEntries(owed.slice(0, MAX_FIGURES)),
        ...profitFigures(request, profitOfCustomer(request, customer)),
      }}
    />
  );
}

const MAX_FIGURES = 4;
