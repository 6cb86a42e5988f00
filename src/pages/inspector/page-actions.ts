import { refusingFixtures } from '../../control/worlds/state.ts';
import { parseFixture } from '../../fixtures/fixture-file.ts';
import { describeOutcome, runFixture } from '../../fixtures/run-fixture.ts';
import { BadRequest } from '../../http/input.ts';
import { openPortalVisit, visitPath } from '../../resources/links.ts';
import type { PageAnswer } from '../answer.ts';
import { fieldText } from '../forms.tsx';
import { recordNotFound } from './find/not-found.tsx';
import type { InspectorRequest, PageStep } from './inspector-request.ts';
import { showHome } from './overview/overview.tsx';
import { orShowAgain, runControlOperation } from './run-control-operation.ts';
import { showTime } from './time/time.tsx';

/** The forms that do what no operation does, by their paths. */
export const PAGE_ACTIONS: Readonly<Record<string, PageStep>> = {
  '/populate': addCustomers,
  '/time/fixture': playFixture,
  '/portal': openPortal,
};

/** The bytes of the form's file. @throws BadRequest */
export function uploaded({ body }: InspectorRequest): Buffer {
  const file = body?.['file'];
  if (!Buffer.isBuffer(file) || file.length === 0) throw new BadRequest('Choose a file.');
  return file;
}

/** Replaces the world by what a fixture file makes in an empty one. */
function playFixture(request: InspectorRequest): Promise<PageAnswer> {
  const { world, control, link } = request;
  return orShowAgain(request, showTime, () =>
    refusingFixtures('file', async () => {
      const text = uploaded(request).toString('utf8');
      const fixture = parseFixture(text, 'file', control.settings.unknown_fields);
      await runControlOperation(request, 'resetWorld', { body: { to: 'empty' } });
      const outcomes = await runFixture(fixture, control.actions.targetOf(world));
      const problems = outcomes.flatMap((outcome) => describeOutcome(fixture, outcome));
      if (problems.length > 0) throw new BadRequest(problems.join('\n'));
      return { location: link('time', { done: 'replaced' }) };
    }),
  );
}

const MAX_CUSTOMERS = 500;

/** Adds so many customers and their traffic. @throws BadRequest */
function addCustomers(request: InspectorRequest): Promise<PageAnswer> {
  const { world, control, link } = request;
  return orShowAgain(request, showHome, async () => {
    const customers = Number(fieldText(request.body, 'customers') || DEFAULT_CUSTOMERS);
    if (!Number.isInteger(customers) || customers < 1 || customers > MAX_CUSTOMERS)
      throw new BadRequest(`Enter a whole number of customers from 1 to ${MAX_CUSTOMERS}.`);
    const { populate } = await import('../../fixtures/population/population.ts');
    await populate(control.actions.targetOf(world), customers);
    const { accountId: owner } = world;
    control.recordMove({ world, owner, operation: '/_emulator/ui/populate', status: 200 });
    control.life.touch(world);
    return { location: link('overview', { done: 'filled' }) };
  });
}

const DEFAULT_CUSTOMERS = 60;

/** Redirects to a new visit to the portal of the customer whose id is in the form; 404 if there is none. */
function openPortal(request: InspectorRequest): PageAnswer {
  const customer = request.world.tables.customers.get(fieldText(request.body, 'customer'));
  if (!customer) return recordNotFound(request);
  const { id, owner } = customer;
  const context = request.contextOf(owner);
  const back = context.baseUrl + request.link('customer', { id });
  const entry = { customer_id: id, return_url: back, failure_url: back };
  return { location: visitPath(context.world.commit(() => openPortalVisit(context, entry))) };
}
