import { linesOfChanges } from '../client/change-lines.ts';
import { type ClientRequest, createClient } from '../client/index.ts';
import { FixtureError, parseFixture, readFixture } from '../fixtures/fixture-file.ts';
import { openRemoteTarget } from '../fixtures/remote-target.ts';
import { describeOutcome, RUN_START, runFixture } from '../fixtures/run-fixture.ts';
import { cut, type Input, PAGE, pick, read, type Tool, type ToolContext } from './tool.ts';

/** Previews, and moves the clock only if that is said. */
async function advance(context: ToolContext, input: Input): Promise<string> {
  const isMove = input['confirm'] === true;
  if (isMove && context.isReadOnly) throw new Error('This server is read-only: it only previews.');
  const body = { ...pick(input, 'by', 'to', 'until'), dry_run: !isMove };
  const request = { body } as ClientRequest<'advanceClock'>;
  const { from, now, total_count, items } = await context.client.call('advanceClock', request);
  const head = isMove ? 'Advanced' : 'A preview, nothing has changed';
  const lines = items.map((item) => JSON.stringify(item));
  return cut([`${head}: ${from} → ${now}, ${total_count} items`, ...lines].join('\n'));
}

async function snapshots(context: ToolContext, input: Input): Promise<string> {
  const { action, name } = input as { readonly action: string; readonly name?: string };
  if (action === 'list') return read(context, 'listSnapshots');
  if (action === 'undo') return read(context, 'resetWorld', { body: { to: 'previous' } });
  if (name === undefined) throw new Error(`${action} needs the name of a snapshot.`);
  if (action === 'save') return read(context, 'saveSnapshot', { body: { name } });
  if (action === 'restore') return read(context, 'resetWorld', { body: { to: 'snapshot', name } });
  const body = { from: { snapshot: name } };
  const compared = await context.client.call('compareWorlds', { body });
  return compared.equal ? 'Nothing differs.' : cut(linesOfChanges(compared).join('\n'));
}

async function faults(context: ToolContext, { add, clear }: Input): Promise<string> {
  if (clear === true) return read(context, 'setFaults', { body: { rules: [] } });
  return add === undefined ? read(context, 'listFaults') : read(context, 'addFault', { body: add });
}

async function deliveries(context: ToolContext, { resend, ...query }: Input): Promise<string> {
  if (resend === undefined)
    return read(context, 'listDeliveries', { query: { limit: 10, ...query } });
  return read(context, 'replayDeliveries', { body: { delivery_id: resend } });
}

/** Runs a fixture in a sandbox of its own, which is then deleted. */
async function runGiven({ client, ...caller }: ToolContext, input: Input): Promise<string> {
  const fixture = fixtureOf(input);
  const name = `mcp-${crypto.randomUUID()}`;
  await client.call('createSandbox', { body: { name, time_to_live: 'PT1H' } });
  try {
    const own = createClient({ ...caller, key: `key_test_${name}` });
    await own.call('resetWorld', { body: { to: 'empty' } });
    await own.call('setClock', { body: { mode: 'frozen', now: RUN_START } });
    const outcomes = await runFixture(fixture, await openRemoteTarget(own, caller.url));
    const problems = outcomes.flatMap((outcome) => describeOutcome(fixture, outcome));
    const { items } = await own.call('listWarnings');
    const warnings = items.map(({ level, message }) => `${level}: ${message}`);
    const head = problems.length > 0 ? 'failed' : `passed, ${outcomes.length} steps`;
    return cut([head, ...problems, ...warnings].join('\n'));
  } finally {
    await client.call('deleteSandbox', { query: { name, final: true } });
  }
}

/** No path is taken, as it would lead to any file of this machine. @throws FixtureError with all that is wrong */
function fixtureOf({ text, name }: Input) {
  if (typeof text === 'string' && name === undefined) return parseFixture(text, 'fixture');
  if (text === undefined && typeof name === 'string' && /^[\w-]+$/.test(name))
    return readFixture(name);
  throw new FixtureError('Expected either text, of a fixture, or name, of one of the library.');
}

/** Tools that act on the world as a whole. */
export const WORLD_TOOLS: readonly Tool[] = [
  {
    name: 'advance_clock',
    about:
      'What happens when time passes: renewals, retries, expiries. Previews unless confirm is true. Give one of by, to and until.',
    input: {
      by: 'Duration, such as P1M or 30d',
      to: 'Instant, such as 2026-02-01T00:00:00Z',
      until: 'next: to the next scheduled item; delivered: until no webhook is outstanding',
      confirm: { type: 'boolean', description: 'Move the clock. Without it, only a preview' },
    },
    run: advance,
  },
  {
    name: 'snapshots',
    about:
      'Save the world under a name, restore it, or compare it with now; undo the latest reset, restore or advance.',
    changes: true,
    input: {
      action: { enum: ['list', 'save', 'restore', 'compare', 'undo'] },
      name: 'Name of the snapshot',
    },
    required: ['action'],
    run: snapshots,
  },
  {
    name: 'faults',
    about:
      'List the fault rules; add one, such as {"match": {"operation": "submitEvents"}, "status": 503, "times": 2}; or clear all.',
    changes: true,
    input: {
      add: { type: 'object', description: 'A fault rule, as addFault takes it' },
      clear: { type: 'boolean', description: 'Remove all rules' },
    },
    run: faults,
  },
  {
    name: 'deliveries',
    about: 'Deliveries of webhooks, newest first, with their last response; or send one again.',
    changes: true,
    input: {
      status: { enum: ['pending', 'delivered', 'failed'] },
      topic: 'Only this topic',
      resend: 'Id of a delivery (dlv_…) to send again',
      ...PAGE,
    },
    run: deliveries,
  },
  {
    name: 'run_fixture',
    about:
      'Run a fixture (YAML or JSON: steps with expectations) as a test in a sandbox of its own. Returns each unmet expectation with its line, and the warnings. For the format, call search_docs with `fixture`.',
    changes: true,
    input: {
      text: 'Text of the fixture',
      name: 'Or the name of one of the library',
    },
    run: runGiven,
  },
];
