import { service, UI } from './growth-reads.ts';
import type { SeededWorld } from './growth-world.ts';

/** An operation over many records. No request to another world may wait long for it. */
export interface HeavyOperation {
  readonly name: string;
  readonly method: 'GET' | 'POST' | 'DELETE';
  path(seeded: SeededWorld): string;
  readonly body?: object;
  /** Sends the response of the export. */
  readonly isImport?: true;
  readonly isRefused?: true;
  /** The sandbox of the request, if not the large world. */
  readonly sandbox?: string;
}

type Path = HeavyOperation['path'] | string;

const operation = (method: HeavyOperation['method'], name: string, path: Path, more = {}) => ({
  name,
  method,
  path: typeof path === 'string' ? () => path : path,
  ...more,
});
const get = (name: string, path: Path): HeavyOperation => operation('GET', name, path);
const post = (name: string, path: Path, body: object, more = {}): HeavyOperation =>
  operation('POST', name, path, { body, ...more });

const COPY = 'copy';

const reads: readonly HeavyOperation[] = [
  ...service
    .filter(({ name }) => /by|with|of|customers|task/.test(name))
    .map(({ name, path }) => get(name, path)),
  get('explain a fee', ({ feeId }) => `/_emulator/explain/${feeId}`),
  get('a fee that is not there', '/_emulator/explain/fee_00000000000000000000000000'),
  get('an event that is not there', '/_emulator/explain/none'),
  get('transactions of a fee', ({ feeId }) => `/_emulator/ledger/transactions?fee_id=${feeId}`),
  get('transactions of a period', '/_emulator/ledger/transactions?from=2026-01-01T00:00:00Z'),
  get(
    'transactions of the heavy customer',
    ({ heavy }) => `/_emulator/ledger/transactions?customer_id=${heavy}&type=fee`,
  ),
  get('agenda', '/_emulator/clock?limit=100'),
  get('metrics', '/_emulator/metrics'),
  get('page: overview', `${UI}/`),
  get('page: usage', `${UI}/events`),
  get('page: usage, searched', `${UI}/events?q=nothing`),
  get('page: usage, by type', `${UI}/events?q=type:call`),
  get('page: usage, sorted', `${UI}/events?q=type:none&sort=Fees`),
  get('page: ledger, searched', `${UI}/ledger?q=nothing`),
  get('page: ledger, below zero', `${UI}/ledger?q=balance:%3C0`),
  get('page: customers, searched', `${UI}/customers?q=nothing`),
  get('page: customers, below zero', `${UI}/customers?q=balance:%3C0`),
  get('page: the heavy customer', ({ heavy }) => `${UI}/customers/${heavy}`),
  get('page: profit', `${UI}/profit`),
  get('page: clock', `${UI}/clock`),
  get('page: an id that is not here', `${UI}/go?id=00000000-0000-4000-8000-ffffffffffff`),
  get('page: a fee by its id', ({ feeId }) => `${UI}/go?id=${feeId}`),
  get('page: a name', `${UI}/go?id=no-such-name`),
];

const whole: readonly HeavyOperation[] = [
  post('ledger/verify', '/_emulator/ledger/verify', {}),
  post('save a snapshot', '/_emulator/snapshots', { name: 'kept' }),
  get('export', '/_emulator/export'),
  post('restore the snapshot', '/_emulator/reset', { to: 'snapshot', name: 'kept' }),
  post('copy into a sandbox', '/_emulator/sandboxes', { name: COPY, sandbox: 'large' }),
  operation('DELETE', 'delete the sandbox', `/_emulator/sandboxes?name=${COPY}`),
  post('import', '/_emulator/import', {}, { isImport: true }),
  post('reset to nothing', '/_emulator/reset', { to: 'empty' }),
  post('try an advance', '/_emulator/clock/advance', { by: 'P1M', dry_run: true }),
  post('advance by a month', '/_emulator/clock/advance', { by: 'P1M' }, { sandbox: 'due' }),
  post(
    'advance too far, refused',
    '/_emulator/clock/advance',
    { by: 'P30Y' },
    { sandbox: 'due', isRefused: true },
  ),
];

/** The measured operations, by the name of the part. */
export const HEAVY = { reads, whole } as const;
