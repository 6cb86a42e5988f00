import { ApiError, type Client, type ClientResponse } from '../../client/index.ts';
import { fixtureText } from '../../fixtures/fixture-file.ts';
import type { Scenario } from '../../fixtures/scenario.ts';
import { parseExact } from '../../text/exact-json.ts';
import { plural } from '../../text/wording.ts';
import { type CommandGroup, operationCommand, type WorldCommand } from '../command.ts';
import { CommandError, EXIT } from '../failure.ts';
import { fieldsOf, flag, numberFlag } from '../flags.ts';
import { print, printError, printPage, untilStopped, writeExport } from '../print.ts';

const FILTER = {
  operation: flag('--operation <id>', 'Only calls of this operation'),
  method: flag('--method <method>', 'Only requests with this method'),
  path: flag('--path <path>', 'Only requests to this path; * matches any part of one segment'),
  customer: flag('--customer <id>', 'Only requests that name this customer, by id or external id'),
  status: numberFlag('--status <status>', 'Only requests with this response status, such as 422'),
  after: numberFlag('--after <ordinal>', 'Only requests after this one'),
};

const RANGE = {
  after: FILTER.after,
  until: numberFlag('--until <ordinal>', 'Only requests up to this one'),
};

/** `billing-emulator requests export`: exports a range of the request log, to a file or to standard output. */
const exportCommand: WorldCommand = {
  usage: 'export',
  about: 'Export the request log or part of it as a fixture or an HTTP archive (HAR)',
  flags: [
    flag('--as <format>', 'Format of the export', { choices: ['fixture', 'har'] }),
    flag('--har', 'Same as --as har'),
    flag('--out <file>', 'File to write (default: standard output)'),
    ...Object.values(RANGE),
    flag('--expect', 'Check the stable parts of each response, not only its status'),
    flag('--redact-customers', 'Replace the names and e-mail addresses of customers'),
  ],
  async run(client, { flags }) {
    const format = flags['har'] === true ? 'har' : flags['as'];
    if (format === undefined || (flags['har'] === true && flags['as'] === 'fixture'))
      throw new CommandError('Expected --as fixture or --as har.', EXIT.usage);
    const query = {
      ...fieldsOf(RANGE, flags),
      format: format as 'fixture' | 'har',
      expect: flags['expect'] === true,
      redact_customers: flags['redactCustomers'] === true,
    };
    const answer = await client.read('exportRequests', { query });
    const file = flags['out'] as string | undefined;
    const { text, ...exported } = format === 'har' ? harIn(answer) : fixtureIn(answer, file ?? '');
    if (file === undefined) return { json: answer, text };
    writeExport(file, text);
    const json = JSON.stringify({ file, ...exported.counts });
    return { json, text: `${file}: ${exported.summary}` };
  },
};

/** The text of an exported fixture in the form of its file, and what it holds. Prints what it leaves out. */
function fixtureIn(answer: string, file: string) {
  const exported = parseExact(answer) as { fixture: Scenario; remarks: string[]; steps: number };
  const { fixture, remarks, steps } = exported;
  for (const remark of remarks) printError(remark);
  return {
    text: fixtureText(fixture, file),
    counts: { steps, remarks },
    summary: `${plural(steps, 'step')}. Run it: billing-emulator run ${file}`,
  };
}

function harIn(text: string) {
  const { log } = JSON.parse(text) as { log: { entries: readonly unknown[] } };
  const entries = log.entries.length;
  return { text, counts: { entries }, summary: plural(entries, 'entry', 'entries') };
}

/** `billing-emulator requests`: lists, follows and exports requests. */
export const requestCommands: CommandGroup = {
  usage: 'requests',
  about: 'List, follow and export the latest requests',
  commands: [
    followable(
      operationCommand('listRequests', {
        usage: 'list',
        isDefault: true,
        about: 'List the latest requests; with --json their bodies, responses and changes too',
        query: {
          ...FILTER,
          limit: flag('--limit <count>', 'Maximum number of requests', { preset: '20' }),
        },
        text: describeRequests,
      }),
    ),
    exportCommand,
  ],
};

function describeRequests(page: ClientResponse<'listRequests'>): string {
  return printPage(page, cellsOf, 'No requests.');
}

function cellsOf(item: LoggedRequest): string[] {
  const { ordinal, at, method, path, query, status, operation = '', fault, ...rest } = item;
  const { changes, truncated } = rest;
  return [
    String(ordinal),
    at,
    String(status),
    method,
    query === undefined ? path : `${path}?${query}`,
    operation,
    fault === undefined ? '' : `fault ${fault}`,
    changes.length === 0 ? '' : `${plural(truncated?.changes ?? changes.length, 'row')} changed`,
  ];
}

/** Adds `--follow` to the list command. */
function followable(list: WorldCommand): WorldCommand {
  const follow = flag('--follow', 'Keep printing requests as they arrive, until stopped');
  return {
    ...list,
    flags: [...(list.flags ?? []), follow],
    async run(client, input) {
      if (input.flags['follow'] !== true) return list.run(client, input);
      const lineOf = input.flags['json'] === true ? JSON.stringify : describeRequest;
      const limit = Number(input.flags['limit']);
      await followRequests(client, fieldsOf(FILTER, input.flags), limit, (item) =>
        print(lineOf(item)),
      );
      return undefined;
    },
  };
}

const describeRequest = (item: LoggedRequest): string =>
  cellsOf(item)
    .filter((cell) => cell !== '')
    .join('  ');

export type LoggedRequest = ClientResponse<'listRequests'>['items'][number];

/**
 * Shows the latest requests, oldest first, then each new one until stopped.
 *
 * @param filter which requests are meant, as a list and a wait of them take it
 * @param limit how many of the latest are shown first
 */
async function followRequests(
  client: Client,
  filter: object,
  limit: number,
  show: (item: LoggedRequest) => void,
): Promise<void> {
  const stop = new AbortController();
  void untilStopped().then(() => stop.abort());
  const seen = new Set<number>();
  let last = await newestOrdinal(client);
  let { items } = await client.call('listRequests', { query: { ...filter, limit } });
  for (;;) {
    const fresh = items.filter(({ ordinal }) => !seen.has(ordinal));
    for (const item of fresh.toSorted((left, right) => left.ordinal - right.ordinal)) {
      seen.add(item.ordinal);
      last = Math.max(last, item.ordinal);
      show(item);
    }
    await untilNext(client, { ...filter, after: last }, stop.signal);
    if (stop.signal.aborted) return;
    // A world that was replaced counts its requests from 1 again.
    if ((await newestOrdinal(client)) < last) {
      last = 0;
      seen.clear();
    }
    items = await listAfter(client, filter, Math.max(0, last - LATE));
  }
}

/** A request can finish after this many later ones. */
const LATE = 100;
/** Timeout of one wait. @units seconds */
const PATIENCE = 30;

async function newestOrdinal(client: Client): Promise<number> {
  const { items } = await client.call('listRequests', { query: { limit: 1 } });
  return items[0]?.ordinal ?? 0;
}

/** Resolves when a request fits, when it has waited for long, or when it is stopped. */
async function untilNext(client: Client, match: object, signal: AbortSignal): Promise<void> {
  const body = { ...match, count: 1, timeout_seconds: PATIENCE };
  try {
    await client.call('waitForRequests', { body, signal });
  } catch (error) {
    const isTimeout = error instanceof ApiError && error.status === 408;
    if (!isTimeout && !signal.aborted) throw error;
  }
}

/** Lists all requests after an ordinal, page by page. */
async function listAfter(client: Client, filter: object, after: number) {
  const found: LoggedRequest[] = [];
  for (;;) {
    const query = { ...filter, after, limit: 1_000, offset: found.length };
    const { items, total_count } = await client.call('listRequests', { query });
    found.push(...items);
    if (items.length === 0 || found.length >= total_count) return found;
  }
}
