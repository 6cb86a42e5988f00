import type { Command } from 'commander';
import { alignColumns, print } from '../print.ts';
import { addRemoteFlags, type Remote, type RemoteFlags, withRemote } from '../remote.ts';
import { formatRecords } from './world-text.ts';

/** `billing-emulator sandbox`: worlds beside each other, one for each name. */
export function addSandbox(program: Command): void {
  const sandbox = program
    .command('sandbox')
    .description('List, create and delete sandboxes, each with its own keys and worlds');
  addList(sandbox);
  addCreate(sandbox);
  addDelete(sandbox);
}

type Sandbox = Awaited<ReturnType<typeof listed>>['items'][number];

const listed = (remote: Remote, limit: string) =>
  remote.call('listSandboxes', { query: { limit } });

function addList(sandbox: Command): void {
  const command = sandbox
    .command('list')
    .description('List the open sandboxes')
    .option('--limit <count>', 'Most sandboxes', '100');
  addRemoteFlags(command).action((flags: RemoteFlags & { readonly limit: string }) =>
    withRemote(flags, async (remote) => {
      const query = { limit: flags.limit };
      if (flags.json) return print(await remote.read('listSandboxes', { query }));
      const { items, total_count } = await listed(remote, flags.limit);
      const rows = items.flatMap(rowsOf);
      print(rows.length === 0 ? 'No sandboxes.' : alignColumns(rows));
      if (total_count > items.length) print(`${total_count - items.length} more.`);
    }),
  );
}

function rowsOf({ name, closes_at, worlds }: Sandbox): string[][] {
  return worlds.map(({ environment, now, mode, records }) => [
    `key_${environment}_${name}`,
    now,
    mode,
    formatRecords(records),
    closes_at === null ? '' : `closes ${closes_at}`,
  ]);
}

interface CreateFlags extends RemoteFlags {
  readonly live?: boolean;
  readonly fixture?: string;
  readonly snapshot?: string;
  readonly from?: string;
  readonly timeToLive?: string;
}

function addCreate(sandbox: Command): void {
  const command = sandbox
    .command('create <name>')
    .description('Open a sandbox of a new name')
    .option('--fixture <name>', 'Fill it from a fixture')
    .option('--snapshot <name>', 'Fill it from a snapshot of the world of --key')
    .option('--from <sandbox>', 'Fill it from another sandbox')
    .option('--live', 'Fill its live environment, not its test environment')
    .option('--time-to-live <duration>', 'Close it when it was not used for so long, such as 1h');
  addRemoteFlags(command).action((name: string, flags: CreateFlags) =>
    withRemote(flags, async (remote) => {
      const { live, fixture, snapshot, from, timeToLive } = flags;
      const body = {
        name,
        ...(live && { environment: 'live' }),
        ...(fixture !== undefined && { fixture }),
        ...(snapshot !== undefined && { snapshot }),
        ...(from !== undefined && { sandbox: from }),
        ...(timeToLive !== undefined && { time_to_live: timeToLive }),
      };
      if (flags.json) return print(await remote.read('createSandbox', { body }));
      print(alignColumns(rowsOf(await remote.call('createSandbox', { body }))));
    }),
  );
}

function addDelete(sandbox: Command): void {
  const command = sandbox
    .command('delete <name>')
    .description('Close both environments of a sandbox and forget all they held');
  addRemoteFlags(command).action((name: string, flags: RemoteFlags) =>
    withRemote(flags, async (remote) => {
      await remote.call('deleteSandbox', { query: { name } });
      print(flags.json ? JSON.stringify({ deleted: name }) : `${name} is deleted.`);
    }),
  );
}
