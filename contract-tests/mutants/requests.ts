import type { SettingsInput } from 'billing-emulator';
import type { Call, Defect } from './mutant.ts';

const KEY = /^(Bearer )?key_(test|live)_/;
const KEY_HEADERS = ['authorization', 'x-service-api-key'];
/** A defect of the responses to requests that are rejected, with these statuses. */
const rejects = (
  about: string,
  statuses: readonly number[],
  change: NonNullable<Defect['response']>,
): Defect => ({
  about,
  response(answer, call) {
    if (statuses.includes(answer.status)) change(answer, call);
  },
});

/** Changes the key of a request. */
const keyed = (about: string, change: (key: string) => string): Defect => ({
  about,
  request({ headers }) {
    for (const name of KEY_HEADERS)
      if (typeof headers[name] === 'string') headers[name] = change(headers[name]);
  },
});

const isKeyless = ({ headers }: Call): boolean =>
  !KEY_HEADERS.some((name) => KEY.test(String(headers[name])));

/** Defects of how requests are read and rejected, whatever their operation. */
export const requestDefects: readonly Defect[] = [
  rejects('401 and 404 have a body', [401, 404], (answer) => {
    answer.headers['Content-Type'] = 'application/problem+json';
    answer.body = { type: 'about:blank', title: 'No', status: answer.status };
  }),
  rejects(
    'A body that cannot be read is reported as invalid, and the reverse',
    [400, 422],
    (answer) => {
      answer.status = answer.status === 400 ? 422 : 400;
    },
  ),
  rejects('A conflict, a large body and a wrong method return 400', [405, 409, 413], (answer) => {
    answer.status = 400;
  }),
  rejects(
    'Invalid requests are accepted without effect',
    [400, 409, 413, 422],
    (answer, { method }) => {
      answer.status = { POST: 201, GET: 200 }[method] ?? 204;
      answer.body = method === 'POST' ? { id: 'none' } : undefined;
    },
  ),
  {
    about: 'Responses are text, without the id of their request',
    response({ status, headers }) {
      if (status < 300 && 'Content-Type' in headers) headers['Content-Type'] = 'text/plain';
      delete headers['X-Request-Id'];
    },
  },
  {
    about: 'A request without a key, or with an invalid one, is accepted',
    request(call) {
      if (isKeyless(call)) call.headers.authorization = 'Bearer key_test_lent';
    },
  },
  keyed('Live and test keys open the same account', (key) => key.replace('key_live_', 'key_test_')),
  {
    about: 'The account to act for is ignored',
    request({ headers }) {
      delete headers['x-service-account'];
    },
  },
  {
    about: 'A content type with a character set is rejected',
    request({ headers }) {
      if (headers['content-type']?.includes('charset')) headers['content-type'] = 'text/plain';
    },
  },
];

const set = (about: string, settings: SettingsInput): Defect => ({ about, of: [], settings });

/** Defects that are settings of the emulator. */
export const settingDefects: readonly Defect[] = [
  set('Unknown fields are accepted', { unknown_fields: 'ignore' }),
  set('Charges beyond the balance are rejected', { overdraft: 'deny' }),
  set('Usage is accepted for 33 days, and up to a minute ahead of the clock', {
    event_max_age: 'P33D',
    event_max_ahead: 'PT1M',
  }),
  set('Usage of a subscription that is past due costs nothing', { past_due_usage: 'free' }),
  set('Links for payments end after a minute', {
    payment_link_lifetime: 'PT1M',
    portal_link_lifetime: 'PT1M',
  }),
  set('Deliveries are tried once', { retry_schedule: '' }),
];
