import type { Effect } from 'billing-emulator/spec';
import type { Selection } from '../plan.ts';
import { LEVELS, type Level } from '../registry.ts';
import { ConfigurationError, freshRunId, type Profile } from './options.ts';

export type Flags = Readonly<Record<string, unknown>>;

const REPORT_KINDS = ['junit', 'json', 'html', 'md', 'ndjson'];

/** The options of a run, read from flags and variables, and validated. */
export type RunOptions = Readonly<ReturnType<typeof readRunOptions>>;

/** Reads the options of a run from flags. @throws ConfigurationError when they do not fit together */
export function readRunOptions(flags: Flags) {
  const { text, number } = valuesOf(flags);
  const { assumptions } = flags;
  return {
    ...readTarget(flags),
    ...readReporting(flags),
    effects: text('effects') as Effect | undefined,
    confirmAccount: text('confirmAccount'),
    /** The account for which live writes are allowed, from the variable or after a question at the terminal. */
    acceptsLiveWritesOf: process.env['CONTRACT_ACCEPT_LIVE_WRITES'],
    isUnattended: isUnattended(),
    selection: readSelection(flags),
    profile: (text('profile') ?? 'full') as Profile,
    baseline: text('baseline'),
    updatesBaseline: flags['updateBaseline'] === true,
    capabilities: text('capabilities'),
    /** The number of case files that run in parallel, on a fresh emulator. */
    workers: number('workers'),
    seed: number('shuffleSeed') ?? 0,
    /** How often the checks run, each time in another order; set by the profile by default. */
    repeats: number('repeat'),
    runId: readRunId(text('runId')),
    requestsPerSecond: number('rps'),
    maxRequests: number('maxRequests'),
    maxCreates: number('maxCreates'),
    deadlineMs: number('deadline'),
    isClosed: flags['closed'] === true,
    insistsOnAssumptions: assumptions === undefined ? undefined : assumptions === 'insist',
    /** The minimum number of cells that must be asserted. */
    gateCells: number('gateCells'),
    /** The folder for lists of created objects and run records. */
    stateFolder: text('state') ?? 'reports/contract',
  };
}

/** Reads flags by name, as their parsers left them. */
const valuesOf = (flags: Flags) => ({
  text: (name: string) => flags[name] as string | undefined,
  number: (name: string) => flags[name] as number | undefined,
});

function readTarget(flags: Flags) {
  const { text, number } = valuesOf(flags);
  return {
    /** The URL of the target; undefined for a fresh emulator. */
    baseUrl: readBaseUrl(text('baseUrl')),
    key: readKey(text('keyEnv')),
    keyPlace: text('keyPlace'),
    serviceName: text('serviceName') ?? 'Service',
    timeoutMs: number('timeout') ?? 30_000,
    consistencyMs: number('consistency'),
    webhookUrl: text('webhookUrl'),
    webhookPort: number('webhookListen'),
    paymentHook: text('paymentHook'),
  };
}

function readSelection(flags: Flags): Selection {
  return {
    only: list(flags, 'only'),
    skip: list(flags, 'skip'),
    operations: list(flags, 'op'),
    levels: list(flags, 'level').map(readLevel),
  };
}

function readReporting({ color, ...flags }: Flags) {
  return {
    reports: Object.fromEntries(list(flags, 'report').map(readReport)),
    hasColor: color !== false && !process.env['NO_COLOR'] && process.stdout.isTTY === true,
  };
}

function list(flags: Flags, name: string): readonly string[] {
  const value = flags[name];
  return Array.isArray(value) ? (value as string[]) : value === undefined ? [] : [String(value)];
}

function readBaseUrl(text: string | undefined): string | undefined {
  if (text === undefined) return undefined;
  if (!/^https?:\/\//.test(text) || !URL.canParse(text))
    throw new ConfigurationError(`--base-url is an http or https URL, not ${text}`);
  if (new URL(text).username !== '')
    throw new ConfigurationError('--base-url holds no credentials');
  return text.replace(/\/$/, '');
}

function readKey(variable: string | undefined): string | undefined {
  if (variable === undefined) return undefined;
  const key = process.env[variable];
  if (key === undefined || key === '')
    throw new ConfigurationError(`The variable ${variable} contains no key`);
  return key;
}

function readLevel(text: string): Level {
  const level = LEVELS.find((known) => known === text.toUpperCase());
  if (!level) throw new ConfigurationError(`There is no level ${text}`);
  return level;
}

function readReport(text: string): readonly [string, string] {
  const [kind = '', ...file] = text.split('=');
  if (!REPORT_KINDS.includes(kind) || file.join('=') === '')
    throw new ConfigurationError(`--report takes ${REPORT_KINDS.join('=F, ')}=F, not ${text}`);
  return [kind, file.join('=')];
}

function readRunId(text: string | undefined): string {
  const runId = text ?? freshRunId();
  if (!/^[a-z0-9]{1,16}$/.test(runId))
    throw new ConfigurationError('--run-id is 1 to 16 lowercase letters and digits');
  return runId;
}

/** Whether the run is unattended, so that it cannot ask questions at the terminal. */
const isUnattended = (): boolean =>
  process.stdin.isTTY !== true || ![undefined, '', 'false', '0'].includes(process.env['CI']);
