import { join } from 'node:path';
import type { Effect } from 'billing-emulator/spec';
import { type KeyPlace, keyPlaceOf, OFFERS_OF_OURS } from '../plan.ts';

/** An option, file or variable is not usable. */
export class ConfigurationError extends Error {
  override readonly name = 'ConfigurationError';
}

/** The requested run is not allowed on this target. */
export class SafetyRefusal extends Error {
  override readonly name = 'SafetyRefusal';
}

export type Flags = Readonly<Record<string, unknown>>;

const REPORT_KINDS = ['junit', 'json', 'html', 'ctrf', 'drift'] as const;

export type ReportKind = (typeof REPORT_KINDS)[number];

/** The file of each report that is written. */
export type ReportFiles = Readonly<Partial<Record<ReportKind, string>>>;

/** The options of a run, read from flags and variables, and validated. */
export type RunOptions = Readonly<ReturnType<typeof readRunOptions>>;

/** Reads the options of a run from flags. @throws ConfigurationError when they do not fit together */
export function readRunOptions(flags: Flags) {
  const text = (name: string) => flags[name] as string | undefined;
  const number = (name: string) => flags[name] as number | undefined;
  return {
    ...readTarget(flags),
    effects: text('effects') as Effect | undefined,
    confirmAccount: text('confirmAccount'),
    /** The account for which live writes are allowed. */
    acceptsLiveWritesOf: process.env['CONTRACT_ACCEPT_LIVE_WRITES'],
    isUnattended: isUnattended(),
    selection: { only: list(flags, 'only'), skip: list(flags, 'skip') },
    /** The number of checks that run at once, on a fresh emulator. */
    workers: number('workers'),
    runId: readRunId(text('runId')),
    requestsPerSecond: number('rps'),
    maxRequests: number('maxRequests'),
    maxCreates: number('maxCreates'),
    /** The folder for lists of created objects and run records. */
    stateFolder: text('state') ?? 'reports/contract',
    reports: Object.fromEntries(list(flags, 'report').map(readReport)) as ReportFiles,
    hasColor: flags['color'] !== false && !process.env['NO_COLOR'] && process.stdout.isTTY === true,
  };
}

function readTarget(flags: Flags) {
  const text = (name: string) => flags[name] as string | undefined;
  const number = (name: string) => flags[name] as number | undefined;
  const serviceName = text('serviceName') ?? 'Service';
  return {
    /** The URL of the target; undefined for a fresh emulator. */
    baseUrl: readBaseUrl(text('baseUrl')),
    key: readKey(text('keyEnv')),
    serviceName,
    keyPlace: readKeyPlace(text('keyPlace'), serviceName),
    timeoutMs: number('timeout') ?? 30_000,
    consistencyMs: number('consistency'),
    webhookUrl: text('webhookUrl'),
    webhookPort: number('webhookListen'),
    paymentHook: text('paymentHook'),
    /** What the target offers beyond its interface. */
    offers: list(flags, 'offers').map(readOffer),
  };
}

function list(flags: Flags, name: string): readonly string[] {
  const value = flags[name];
  return Array.isArray(value) ? (value as string[]) : value === undefined ? [] : [String(value)];
}

function readBaseUrl(text: string | undefined): string | undefined {
  if (text === undefined) return undefined;
  if (!/^https?:\/\//.test(text) || !URL.canParse(text))
    throw new ConfigurationError(`--base-url must be an http or https URL, not ${text}`);
  if (new URL(text).username !== '')
    throw new ConfigurationError('--base-url must not contain credentials');
  return text.replace(/\/$/, '');
}

function readKey(variable: string | undefined): string | undefined {
  if (variable === undefined) return undefined;
  const key = process.env[variable];
  if (key === undefined || key === '')
    throw new ConfigurationError(`The variable ${variable} contains no key`);
  return key;
}

/** `bearer`, or `header:<name>`. */
function readKeyPlace(text: string | undefined, serviceName: string): KeyPlace {
  if (text === undefined) return keyPlaceOf(serviceName);
  if (text === 'bearer') return { header: 'Authorization', prefix: 'Bearer ' };
  const name = /^header:([A-Za-z0-9-]+)$/.exec(text)?.[1];
  if (name === undefined)
    throw new ConfigurationError(`--key-place must be bearer or header:<name>, not ${text}`);
  return { header: name, prefix: '' };
}

/** A misspelt name would silently leave checks out. */
function readOffer(name: string): string {
  if (OFFERS_OF_OURS.includes(name)) return name;
  throw new ConfigurationError(`--offers: ${name} is not one of ${OFFERS_OF_OURS.join(', ')}`);
}

function readReport(text: string): readonly [ReportKind, string] {
  const [name, ...file] = text.split('=');
  const kind = REPORT_KINDS.find((known) => known === name);
  if (!kind || file.join('=') === '')
    throw new ConfigurationError(`--report takes ${REPORT_KINDS.join('=F, ')}=F, not ${text}`);
  return [kind, file.join('=')];
}

function readRunId(text = Date.now().toString(36)): string {
  if (!/^[a-z0-9]{1,16}$/.test(text))
    throw new ConfigurationError('--run-id must be 1 to 16 lowercase letters and digits');
  return text;
}

/** Whether nobody watches the run at a terminal. */
const isUnattended = (): boolean =>
  process.stdin.isTTY !== true || ![undefined, '', 'false', '0'].includes(process.env['CI']);

/** The folder for the files of one run on this machine. */
export const runFolder = ({ stateFolder, runId }: RunOptions): string => join(stateFolder, runId);
