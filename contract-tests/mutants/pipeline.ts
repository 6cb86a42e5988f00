import type { RawResponse } from 'billing-emulator/internals';
import { declared, kindOfMutant, type Mutant } from './mutant.ts';

type Change = NonNullable<Mutant['rawResponse']>;

const answerMutant = kindOfMutant((rawResponse: Change) => ({ rawResponse }));

/** Changes status, headers or text of the responses with a status. */
const statusMutant = kindOfMutant(
  ({ of, ...changes }: Partial<RawResponse> & { readonly of: number }) => ({
    rawResponse: (answer) => (answer.status === of ? { ...answer, ...changes } : answer),
  }),
);

/** Changes the JSON of successful responses. */
const bodyMutant = kindOfMutant((change: (body: Record<string, unknown>) => void) => ({
  rawResponse: (answer) => {
    if (answer.text === '' || answer.status >= 300) return answer;
    const body = JSON.parse(answer.text);
    change(body);
    return { ...answer, text: JSON.stringify(body) };
  },
}));

const JSON_TYPE = { 'Content-Type': 'application/json' };

const isPage = (body: Record<string, unknown>): boolean =>
  Array.isArray(body['items']) && 'offset' in body;

const notFound: RawResponse = { status: 404, headers: {}, text: '' };

export const pipelineMutants: readonly Mutant[] = [
  statusMutant('401 has a body', ['X-01'], { of: 401, headers: JSON_TYPE, text: '{"status":401}' }),
  answerMutant('A wrong key answers 403', ['X-01'], (answer, { headers }) =>
    answer.status === 401 &&
    `${headers['x-service-api-key'] ?? headers.authorization}`.endsWith('!')
      ? { ...answer, status: 403 }
      : answer,
  ),
  statusMutant('404 has a body', ['X-04'], { of: 404, headers: JSON_TYPE, text: '{"status":404}' }),
  statusMutant('Broken JSON answers 422', ['X-05'], { of: 400, status: 422 }),
  statusMutant('An invalid value answers 400', ['X-06'], { of: 422, status: 400 }),
  answerMutant('Titles of problems vary', ['X-05'], (answer, { path }) => {
    if (answer.status !== 400) return answer;
    const body = JSON.parse(answer.text);
    return { ...answer, text: JSON.stringify({ ...body, title: `${body.title} ${path}` }) };
  }),
  answerMutant('Answers are text', ['X-08'], (answer) =>
    answer.status < 300 && answer.text !== ''
      ? { ...answer, headers: { ...answer.headers, 'Content-Type': 'text/plain' } }
      : answer,
  ),
  answerMutant('Timestamps have no zone', ['X-09'], (answer) => ({
    ...answer,
    text: answer.text.replaceAll(/("\w*_at":"[^"]*)Z"/g, '$1"'),
  })),
  answerMutant('Identifiers have no prefix', ['X-10'], (answer) => ({
    ...answer,
    text: answer.text.replaceAll(/"(prp|dst)_/g, '"'),
  })),
  bodyMutant('Pages have no total_count', ['X-11'], (body) => {
    if (isPage(body)) delete body['total_count'];
  }),
  bodyMutant('Pages say a limit of 50', ['X-11'], (body) => {
    if (isPage(body) && body['limit'] === 100) body['limit'] = 50;
  }),
  bodyMutant('total_count is the length of the page', ['X-35', 'X-13'], (body) => {
    if (isPage(body)) body['total_count'] = (body['items'] as unknown[]).length;
  }),
  answerMutant('stats is read as an id', ['X-16'], (answer, { path }) =>
    path === '/customers/stats' ? notFound : answer,
  ),
  {
    ...declared('One path needs no key', ['X-01']),
    lendKey: ({ path, headers }) =>
      path === '/vendors' && headers.authorization === undefined ? 'key_test_lent' : undefined,
  },
  answerMutant('A wrong query is no matter', ['X-15', 'X-25'], (answer, { path }) =>
    answer.status === 400 && path === '/vendors'
      ? {
          status: 200,
          headers: JSON_TYPE,
          text: '{"items":[],"total_count":0,"limit":100,"offset":0}',
        }
      : answer,
  ),
  statusMutant('A path with other methods is not found', ['X-98'], { of: 405, status: 404 }),
  answerMutant('An empty id is found', ['X-26'], (answer, { path }) =>
    path === '/vendors/' ? { ...answer, status: 200 } : answer,
  ),
  statusMutant('204 has a body', ['CUS-12'], {
    of: 204,
    ...{ status: 200, headers: JSON_TYPE, text: '{}' },
  }),
  answerMutant('Usage is accepted before its key is read', ['X-55'], (answer, { method, path }) =>
    answer.status === 401 && method === 'POST' && path === '/events'
      ? { status: 204, headers: {}, text: '' }
      : answer,
  ),
  answerMutant('HEAD finds whatever it is asked for', ['X-56'], (answer, { method }) =>
    method === 'HEAD' && answer.status === 404 ? { ...answer, status: 200 } : answer,
  ),
  answerMutant('An id of something else is invalid', ['X-57'], (answer, { path }) =>
    answer.status === 404 && /^\/customers\/(?!cust_)[a-z]+_/.test(path)
      ? { ...answer, status: 422, headers: JSON_TYPE, text: '{"status":422}' }
      : answer,
  ),
  answerMutant('An id of no usual form is not understood', ['X-58'], (answer, { path }) =>
    answer.status === 404 && /^\/products\/(?![a-z]+_)/.test(path)
      ? { ...answer, status: 400, headers: JSON_TYPE, text: '{"status":400}' }
      : answer,
  ),
  answerMutant('An unknown account to act for is not found', ['X-59'], (answer, { headers }) =>
    answer.status === 401 && headers['x-service-account'] !== undefined
      ? { ...answer, status: 404 }
      : answer,
  ),
  answerMutant('A rejection has a request id of its own', ['X-66'], (answer, { headers }) =>
    answer.status >= 400 && headers['x-request-id'] !== undefined
      ? { ...answer, headers: { ...answer.headers, 'X-Request-Id': 'req_refused' } }
      : answer,
  ),
  answerMutant('A problem names no path', ['X-23'], (answer) =>
    answer.status >= 400
      ? { ...answer, text: answer.text.replace(/,"instance":"[^"]*"/, '') }
      : answer,
  ),
];
