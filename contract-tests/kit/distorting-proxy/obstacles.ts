import { deflateSync } from 'node:zlib';
import { type Change, gzipped, retold, withHeaders, withStatus } from './answer.ts';

/** A correct service that is slow, busy or unusual in one way. */
export interface Obstacle {
  readonly about: string;
  /** Every nth request gets the response of `refuse`, or a reset connection. */
  readonly every?: number;
  readonly refuse?: Change | 'reset';
  /** Whether writes are exempt. */
  readonly readsOnly?: boolean;
  readonly change?: Change;
  /** How the response is sent: in pieces of this many bytes, or after a delay. */
  readonly pieces?: number;
  readonly delayMs?: number;
  /** How long reads show no writes, and the consistency window declared for it. */
  readonly lagMs?: number;
  readonly consistencyMs?: number;
  /** The text that the report shows for it. */
  readonly waited?: string;
}

const httpDate = () => new Date(Date.now() + 1_000).toUTCString();
const RATE = 'waited for the rate limit';
const AVAILABLE = 'waited for the service to be available again';

/** Obstacles that must neither fail a run nor be reported as a defect of the suite. */
export const OBSTACLES: readonly Obstacle[] = [
  {
    about: 'throttles and asks for a second',
    ...{ every: 40, refuse: withStatus(429, { 'retry-after': '1' }), waited: RATE },
  },
  {
    about: 'throttles until a date',
    every: 40,
    refuse: (answer) => withStatus(429, { 'retry-after': httpDate() })(answer),
    waited: RATE,
  },
  { about: 'throttles without a word of when', every: 40, refuse: withStatus(429), waited: RATE },
  {
    about: 'is away for a moment, and says so',
    ...{ every: 9, refuse: withStatus(503, { 'retry-after': '0' }), waited: AVAILABLE },
  },
  {
    about: 'answers some reads with a plain 503',
    ...{ every: 20, refuse: withStatus(503), readsOnly: true, waited: AVAILABLE },
  },
  {
    about: 'resets some reads',
    ...{ every: 9, refuse: 'reset', readsOnly: true },
    waited: 'repeated after a broken connection',
  },
  {
    about: 'shows what was written 200 ms later',
    ...{ lagMs: 200, consistencyMs: 1_000, waited: 'waited for what was written to be seen' },
  },
  { about: 'compresses with gzip', change: gzipped },
  {
    about: 'compresses with deflate',
    change: (answer) => ({
      ...withHeaders({ 'content-encoding': 'deflate' })(answer),
      body: deflateSync(answer.body),
    }),
  },
  { about: 'sends chunks of seven bytes', pieces: 7 },
  { about: 'answers after 60 ms', delayMs: 60 },
  {
    about: 'names the character set',
    change: withHeaders({ 'content-type': 'application/json; charset=UTF-8' }),
  },
  { about: 'sends a header twice', change: withHeaders({ 'x-request': ['one', 'two'] }) },
  { about: 'sends headers of 8 kB', change: withHeaders({ 'x-much': 'x'.repeat(8_192) }) },
  { about: 'closes each connection', change: withHeaders({ connection: 'close' }) },
  {
    about: 'sets its JSON in lines',
    change: retold((text) => (text === '' ? '' : `\n${text.replaceAll('":', '" :\n')}\n`)),
  },
];
