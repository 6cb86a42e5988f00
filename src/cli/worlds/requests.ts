import type { Command } from 'commander';
import { alignColumns } from '../print.ts';
import { addRemoteFlags, type Remote, type RemoteFlags, withRemote } from '../remote.ts';

interface Filter {
  readonly operation?: string;
  readonly method?: string;
  readonly path?: string;
  readonly customer?: string;
  readonly status?: string;
  readonly after?: string;
}

interface ListFlags extends RemoteFlags, Filter {
  readonly limit: string;
}

interface WaitFlags extends RemoteFlags, Filter {
  readonly count: string;
  readonly timeout: string;
}

type Requests = Awaited<ReturnType<typeof listOf>>;

/** `billing-emulator requests`: what was asked and answered lately, and waiting for what will be. */
export function addRequests(program: Command): void {
  const requests = program
    .command('requests')
    .description('Show, await and forget what was asked of the service lately');
  addList(requests);
  addWait(requests);
  addClear(requests);
}

function addList(requests: Command): void {
  const command = requests
    .command('list', { isDefault: true })
    .description('List the latest requests and how they were answered')
    .option('--limit <count>', 'Most requests shown', '20');
  addRemoteFlags(addFilter(command)).action((flags: ListFlags) =>
    withRemote(flags, async (remote) => {
      const query = { ...filterOf(flags), limit: flags.limit };
      if (flags.json) process.stdout.write(`${await remote.read('listRequests', { query })}\n`);
      else print(await listOf(remote, query));
    }),
  );
}

function addWait(requests: Command): void {
  const command = requests
    .command('wait')
    .description('Wait until enough requests fit; fails when the time runs out')
    .option('--count <count>', 'How many must fit', '1')
    .option('--timeout <seconds>', 'How long to wait', '10');
  addRemoteFlags(addFilter(command)).action((flags: WaitFlags) =>
    withRemote(flags, async (remote) => {
      const { status, after, ...texts } = filterOf(flags);
      const body = {
        ...texts,
        ...(status !== undefined && { status: Number(status) }),
        ...(after !== undefined && { after: Number(after) }),
        count: Number(flags.count),
        timeout_seconds: Number(flags.timeout),
      };
      if (flags.json) process.stdout.write(`${await remote.read('waitForRequests', { body })}\n`);
      else print(await remote.call('waitForRequests', { body }));
    }),
  );
}

function addClear(requests: Command): void {
  const command = requests.command('clear').description('Forget the requests of a world');
  addRemoteFlags(command).action((flags: RemoteFlags) =>
    withRemote(flags, async (remote) => {
      await remote.call('clearRequests');
    }),
  );
}

function addFilter(command: Command): Command {
  return command
    .option('--operation <id>', 'Only calls of this operation')
    .option('--method <method>', 'Only requests by this method')
    .option('--path <path>', 'Only requests to this path; * stands for one segment')
    .option('--customer <id>', 'Only requests that name this customer')
    .option('--status <status>', 'Only requests answered with this status')
    .option('--after <ordinal>', 'Only requests after this one');
}

function filterOf({ operation, method, path, customer, status, after }: Filter) {
  return { operation, method, path, customer, status, after };
}

function listOf(remote: Remote, query: Readonly<Record<string, string | undefined>>) {
  return remote.call('listRequests', { query });
}

function print({ items, total_count }: Requests): void {
  const rows = items.map(({ ordinal, at, method, path, query, status, operation, ...rest }) => [
    String(ordinal),
    at,
    String(status),
    method,
    query === undefined ? path : `${path}?${query}`,
    operation ?? '',
    rest.fault === undefined ? '' : `fault ${rest.fault}`,
    rest.changes.length === 0 ? '' : `${rest.changes.length} rows changed`,
  ]);
  process.stdout.write(rows.length === 0 ? 'No requests.\n' : `${alignColumns(rows)}\n`);
  if (total_count > items.length) process.stdout.write(`${total_count - items.length} more.\n`);
}
