import type { Client, ClientAnswer } from '../../client/index.ts';
import { fixtureText } from '../../fixtures/fixture-file.ts';
import type { Scenario } from '../../fixtures/scenario.ts';
import { parseExact } from '../../text/exact-json.ts';
import { plural } from '../../text/plural.ts';
import { EXIT } from '../exit-codes.ts';
import { CommandError } from '../failure.ts';
import { fieldsOf, flag, numberFlag } from '../flags.ts';
import { print, printError, printPage, writeExport } from '../print.ts';
import { callVerb, type Verb, type VerbGroup, type VerbOutput } from '../verb.ts';
import { followRequests, type LoggedRequest } from './follow-requests.ts';

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

const FIXTURE_FLAGS = [
  flag('--expect', 'Check the stable parts of each response, not only its status'),
  flag('--redact-customers', 'Replace the names and e-mail addresses of customers'),
];

/** `billing-emulator requests export`: exports a range of the request log, to a file or to standard output. */
const exportVerb: Verb = {
  usage: 'export',
  about: 'Export the request log or part of it as a fixture or an HTTP archive (HAR)',
  flags: [
    flag('--as <format>', 'Format of the export', { choices: ['fixture', 'har'] }),
    flag('--har', 'Same as --as har'),
    flag('--out <file>', 'File to write (default: standard output)'),
    ...Object.values(RANGE),
    ...FIXTURE_FLAGS,
  ],
  run(client, { flags }) {
    const format = flags['har'] === true ? 'har' : flags['as'];
    if (format === undefined || (flags['har'] === true && flags['as'] === 'fixture'))
      throw new CommandError('Expected --as fixture or --as har.', EXIT.usage);
    const query = {
      ...fieldsOf(RANGE, flags),
      redact_customers: flags['redactCustomers'] === true,
    };
    const file = flags['out'] as string | undefined;
    return format === 'har'
      ? saveHar(client, file, query)
      : saveFixture(client, file, { ...query, expect: flags['expect'] === true });
  },
};

async function saveFixture(
  client: Client,
  file: string | undefined,
  query: object,
): Promise<VerbOutput> {
  const answer = await client.read('exportRequests', { query });
  const exported = parseExact(answer) as { fixture: Scenario; remarks: string[]; steps: number };
  const { fixture, remarks, steps } = exported;
  for (const remark of remarks) printError(remark);
  const text = fixtureText(fixture, file ?? '');
  if (file === undefined) return { json: answer, text };
  writeExport(file, text);
  return {
    json: JSON.stringify({ file, steps, remarks }),
    text: `${file}: ${plural(steps, 'step')}. Run it: billing-emulator run ${file}`,
  };
}

async function saveHar(
  client: Client,
  file: string | undefined,
  query: object,
): Promise<VerbOutput> {
  const text = await client.read('exportRequests', { query: { ...query, format: 'har' } });
  if (file === undefined) return { json: text, text };
  writeExport(file, text);
  const { log } = JSON.parse(text) as { log: { entries: readonly unknown[] } };
  const entries = log.entries.length;
  return {
    json: JSON.stringify({ file, entries }),
    text: `${file}: ${plural(entries, 'entry', 'entries')}`,
  };
}

/** `billing-emulator requests`: lists, follows and exports requests. */
export const requestVerbs: VerbGroup = {
  usage: 'requests',
  about: 'List, follow and export the latest requests',
  verbs: [
    followable(
      callVerb('listRequests', {
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
    exportVerb,
  ],
};

function describeRequests(page: ClientAnswer<'listRequests'>): string {
  return printPage(page, (item) => [cellsOf(item)], 'No requests.');
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

/** Adds `--follow` to the list verb. */
function followable(list: Verb): Verb {
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
