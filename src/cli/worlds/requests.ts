import type { ClientAnswer } from '../../client/index.ts';
import { plural } from '../../text/plural.ts';
import { fieldsOf, flag, numberFlag } from '../flags.ts';
import { print, printPage } from '../print.ts';
import { callVerb, type Verb, type VerbGroup } from '../verb.ts';
import { followRequests, type LoggedRequest } from './follow-requests.ts';
import { exportRequestsVerb } from './record.ts';

const FILTER = {
  operation: flag('--operation <id>', 'Only calls of this operation'),
  method: flag('--method <method>', 'Only requests with this method'),
  path: flag('--path <path>', 'Only requests to this path; * matches any part of one segment'),
  customer: flag('--customer <id>', 'Only requests that name this customer, by id or external id'),
  status: numberFlag('--status <status>', 'Only responses with this status'),
  after: numberFlag('--after <ordinal>', 'Only requests after this one'),
};

/** `billing-emulator requests`: lists, awaits and exports requests. */
export const requestVerbs: VerbGroup = {
  usage: 'requests',
  about: 'List, follow, wait for, export and clear the latest requests',
  verbs: [
    followable(
      callVerb('listRequests', {
        usage: 'list',
        isDefault: true,
        about: 'List the latest requests and their responses',
        query: {
          ...FILTER,
          limit: flag('--limit <count>', 'Maximum number of requests', { preset: '20' }),
        },
        text: describeRequests,
      }),
    ),
    callVerb('waitForRequests', {
      usage: 'wait',
      about: 'Wait until enough requests match; fails when the time runs out',
      body: {
        ...FILTER,
        count: numberFlag('--count <count>', 'How many must match', 1),
        timeout_seconds: numberFlag('--timeout <seconds>', 'How long to wait', 10),
      },
      text: describeRequests,
    }),
    exportRequestsVerb,
    callVerb('clearRequests', {
      usage: 'clear',
      about: 'Clear the request log of a world',
      text: () => '',
    }),
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
