import { openPortalVisit, visitPath } from '../../resources/payments/portal-visits.ts';
import { headerNames } from '../../spec/header-names.ts';
import type { CustomerRow } from '../../state/records.ts';
import { key } from '../../state/schema.ts';
import { fieldText } from '../forms.tsx';
import { firstFee } from '../front/first-fee.ts';
import { orderTopUp } from '../order-top-up.ts';
import { showCustomer } from './customers/customer.tsx';
import type { InspectorRequest, PageStep } from './inspector-request.ts';
import { notHere } from './not-here.tsx';
import { orShowAgain, UnreadableForm } from './run-control-operation.ts';

/** What forms do that no operation of the control interface does, by the address that they are sent to. */
export const OWN_ACTION_STEPS: Readonly<Record<string, PageStep>> = {
  '/first-fee': sendFirstFee,
  '/populate': async (request) => {
    const { world, control, link } = request;
    await control.actions.populate(world);
    const { accountId: owner } = world;
    control.recordMove({ world, owner, operation: '/_emulator/ui/populate', status: 200 });
    control.life.touch(world);
    return { location: link('') };
  },
  '/portal': forCustomer(openPortal),
  '/customers/:id/top-up': forCustomer(startTopUp),
};

/** Reports the usage of the front page as anyone would: over the interface of the service. */
async function sendFirstFee({ world, key: worldKey, control }: InspectorRequest) {
  const names = headerNames(control.settings.service_name);
  const rawRequest = {
    method: 'POST',
    path: '/events',
    search: '',
    headers: { [names.apiKey.toLowerCase()]: worldKey, 'content-type': 'application/json' },
  };
  await control.actions.send(rawRequest, Buffer.from(JSON.stringify(firstFee(world))));
  return { location: '/_emulator?sent=1#first-fee' };
}

type CustomerStep = (request: InspectorRequest, customer: CustomerRow) => ReturnType<PageStep>;

/** Does something for the customer whose id, or external id, a form or an address names. */
function forCustomer(step: CustomerStep): PageStep {
  return (request) => {
    const { customers } = request.world.tables;
    const name = request.parameters['id'] ?? fieldText(request.body, 'customer');
    const customer =
      customers.get(name) ?? customers.first('external', key(request.world.accountId, name));
    return customer ? step(request, customer) : notHere(request);
  };
}

/** Enters the portal as its customer would, by a visit of its own. */
function openPortal(request: InspectorRequest, { id, owner }: CustomerRow) {
  const context = request.contextOf(owner);
  const back = context.baseUrl + request.link(`/customers/${id}`);
  const entry = { customer_id: id, return_url: back, failure_url: back };
  return { location: visitPath(context.world.commit(() => openPortalVisit(context, entry))) };
}

function startTopUp(request: InspectorRequest, { id, owner }: CustomerRow) {
  const context = request.contextOf(owner);
  const back = context.baseUrl + request.link(`/customers/${id}`);
  const amount = Number(fieldText(request.body, 'amount'));
  const currency = fieldText(request.body, 'currency');
  const order = { customer_id: id, amount, currency, return_url: back, failure_url: back };
  return orShowAgain(request, showCustomer, () => {
    if (!(amount > 0)) throw new UnreadableForm(EXPECTED);
    return { location: orderTopUp(context, order, request.control.recordMove) };
  });
}

const EXPECTED = 'Enter an amount greater than 0, such as 25 or 12.50.';
