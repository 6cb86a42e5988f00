import type { Command } from 'commander';
import { parseInstant } from '../../domain/instant.ts';
import { alignColumns, print } from '../print.ts';
import { addRemoteFlags, type Remote, type RemoteFlags, withRemote } from '../remote.ts';

type Body = Readonly<Record<string, unknown>>;

/** `billing-emulator clock`: the time of a world, and what falls due by it. */
export function addClock(program: Command): void {
  const clock = program.command('clock').description('Show, set and advance the clock of a world');
  addShow(clock);
  addSet(clock);
  addFreeze(clock);
  addAdvance(clock);
  addAgenda(clock);
}

function addShow(clock: Command): void {
  const command = clock.command('show', { isDefault: true }).description('Show the clock');
  addRemoteFlags(command).action((flags: RemoteFlags) =>
    withRemote(flags, async (remote) => {
      if (flags.json) return print(await remote.read('getClock'));
      const { now, mode, next_due } = await remote.call('getClock');
      print(`${now}  ${mode}  ${next_due === null ? 'nothing is due' : `next due ${next_due}`}`);
    }),
  );
}

function addSet(clock: Command): void {
  const command = clock
    .command('set <moment>')
    .description(
      'Set the clock to an instant, from which it runs, or to `real`; nothing falls due',
    );
  addRemoteFlags(command).action((moment: string, flags: RemoteFlags) =>
    change(flags, moment === 'real' ? { mode: 'real' } : { mode: 'offset', now: moment }),
  );
}

function addFreeze(clock: Command): void {
  const command = clock
    .command('freeze [moment]')
    .description('Stop the clock where it is, or at an instant; nothing falls due');
  addRemoteFlags(command).action((moment: string | undefined, flags: RemoteFlags) =>
    change(flags, { mode: 'frozen', ...(moment !== undefined && { now: moment }) }),
  );
}

function change(flags: RemoteFlags, body: Body): Promise<void> {
  return withRemote(flags, async (remote) => {
    if (flags.json) return print(await remote.read('setClock', { body }));
    const { now, mode, moved } = await remote.call('setClock', { body });
    print(`${now}  ${mode}  moved ${moved === 'none' ? 'not at all' : moved}`);
  });
}

interface AdvanceFlags extends RemoteFlags {
  readonly dryRun?: boolean;
}

function addAdvance(clock: Command): void {
  const command = clock
    .command('advance <how-far>')
    .description(
      'Advance by a duration (1mo, P1M, 30d), to an instant, to the `next` due item, or until all is `delivered`',
    )
    .option('--dry-run', 'Only say what would happen');
  addRemoteFlags(command).action((howFar: string, flags: AdvanceFlags) =>
    withRemote(flags, async (remote) => {
      const body = { ...goalOf(howFar), ...(flags.dryRun && { dry_run: true }) };
      if (flags.json) return print(await remote.read('advanceClock', { body }));
      await printAdvance(remote, body);
    }),
  );
}

function goalOf(howFar: string): Body {
  if (howFar === 'next' || howFar === 'delivered') return { until: howFar };
  return parseInstant(howFar) === undefined ? { by: howFar } : { to: howFar };
}

async function printAdvance(remote: Remote, body: Body): Promise<void> {
  const { from, now, mode_before, mode, dry_run, items, total_count } = await remote.call(
    'advanceClock',
    { body },
  );
  const rows = items.map(({ at, kind, outcome = '', fee, movements, ...ids }) => [
    at,
    kind,
    outcome,
    [fee ? `${fee.currency} ${fee.amount}` : '', ...movements.map(describeMovement)]
      .filter(Boolean)
      .join(', '),
    subjectOf(ids),
  ]);
  if (rows.length > 0) print(alignColumns(rows));
  if (total_count > items.length) print(`${total_count - items.length} more.`);
  const count = total_count === 1 ? '1 due item' : `${total_count} due items`;
  print(`${from} ${dry_run ? 'would go' : 'went'} to ${now}: ${count}.`);
  if (mode_before !== mode && !dry_run) print(`The clock was ${mode_before} and is ${mode} now.`);
}

function describeMovement({ asset, amount }: { asset: string; amount: number }): string {
  return `${asset} ${amount > 0 ? '+' : ''}${amount}`;
}

/** The most telling of the identifiers of an item. */
function subjectOf(ids: {
  readonly webhook_event_id?: string;
  readonly subscription_id?: string;
  readonly grant_id?: string;
  readonly top_up_id?: string;
  readonly portal_session_id?: string;
  readonly asset?: string;
}): string {
  const { webhook_event_id, subscription_id, grant_id, top_up_id, portal_session_id, asset } = ids;
  return (
    webhook_event_id ?? subscription_id ?? grant_id ?? top_up_id ?? portal_session_id ?? asset ?? ''
  );
}

function addAgenda(clock: Command): void {
  const command = clock
    .command('agenda')
    .description('List what is scheduled, what repeats once')
    .option('--limit <count>', 'Most items', '20');
  addRemoteFlags(command).action((flags: RemoteFlags & { readonly limit: string }) =>
    withRemote(flags, async (remote) => {
      const parts = { query: { limit: flags.limit } };
      if (flags.json) return print(await remote.read('listAgenda', parts));
      const { items, total_count } = await remote.call('listAgenda', parts);
      const rows = items.map(({ at, kind, ...ids }) => [at, kind, subjectOf(ids)]);
      print(rows.length === 0 ? 'Nothing is scheduled.' : alignColumns(rows));
      if (total_count > items.length) print(`${total_count - items.length} more.`);
    }),
  );
}
