import type { ClientAnswer } from '../../client/index.ts';
import { flag, numberFlag } from '../flags.ts';
import { printPage } from '../print.ts';
import { callVerb, type VerbGroup } from '../verb.ts';

const FILTER = {
  operation: flag('--operation <id>', 'Only calls of this operation'),
  method: flag('--method <method>', 'Only requests by this method'),
  path: flag('--path <path>', 'Only requests to this path; * stands for one segment'),
  customer: flag('--customer <id>', 'Only requests that name this customer'),
  status: numberFlag('--status <status>', 'Only requests answered with this status'),
  after: numberFlag('--after <ordinal>', 'Only requests after this one'),
};

/** `billing-emulator requests`: what was asked and answered lately, and waiting for what will be. */
export const requestVerbs: VerbGroup = {
  usage: 'requests',
  about: 'Show, await and clear the latest requests to the service',
  verbs: [
    callVerb('listRequests', {
      usage: 'list',
      isDefault: true,
      about: 'List the latest requests and how they were answered',
      query: { ...FILTER, limit: flag('--limit <count>', 'Most requests shown', { preset: '20' }) },
      text: describeRequests,
    }),
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
    callVerb('clearRequests', {
      usage: 'clear',
      about: 'Clear the request log of a world',
      text: () => '',
    }),
  ],
};

function describeRequests(page: ClientAnswer<'listRequests'>): string {
  return printPage(
    page,
    ({ ordinal, at, method, path, query, status, operation = '', fault, changes, truncated }) => [
      [
        String(ordinal),
        at,
        String(status),
        method,
        query === undefined ? path : `${path}?${query}`,
        operation,
        fault === undefined ? '' : `fault ${fault}`,
        changes.length === 0 ? '' : `${truncated?.changes ?? changes.length} rows changed`,
      ],
    ],
    'No requests.',
  );
}
