import { type GivenSettings, SETTINGS } from 'billing-emulator/internals';
import { stringify } from 'yaml';
import { registry } from '../kit/registry.ts';
import type { TwinExchange } from './exchange.ts';
import type { TwinCause } from './report/causes.ts';
import type { TwinSummary } from './report/report.ts';
import { compareRecorded } from './session.ts';

type SettingName = keyof typeof SETTINGS;

/** Settings with which the emulator is closer to the service. */
export interface FoundProfile {
  readonly settings: GivenSettings;
  /** The causes that remain with them. */
  readonly left: readonly string[];
}

/** Settings for operation, which do not affect responses. */
const OF_RUNNING: ReadonlySet<string> = new Set([
  ...['service_name', 'seed', 'keys', 'fixture', 'sandbox_fixture'],
  ...['clock', 'clock_now', 'data', 'data_schema'],
  ...['admin_token', 'allowed_hosts', 'without_token'],
  'webhook_time',
]);

/** Common durations and numbers, one of which a service has probably chosen. */
const SPANS = [
  ...['PT1M', 'PT5M', 'PT10M', 'PT15M', 'PT30M', 'PT1H', 'PT2H', 'PT6H', 'PT12H', 'PT24H', 'PT48H'],
  ...['PT72H', 'P7D', 'P10D', 'P14D', 'P30D', 'P34D', 'P35D', 'P60D', 'P90D', 'P180D'],
  ...['P1Y', 'P2Y', 'none'],
];
const COUNTS = [100, 250, 500, 1_000, 2_000, 5_000, 10_000, 65_536, 131_072, 262_144, 524_288];
const CURRENCIES = ['EUR', 'GBP', 'CHF', 'JPY', 'AUD', 'CAD', 'SEK'];

/**
 * Searches settings that explain differences: tries each setting of a touched assumption on the recorded traffic, and
 * keeps it when fewer causes remain.
 */
export async function findProfile(recorded: readonly TwinExchange[]): Promise<FoundProfile> {
  let settings: GivenSettings = {};
  let best = await compareRecorded(recorded, settings);
  for (const name of settingsTouched(best.causes)) {
    for (const value of valuesOf(name)) {
      if (best.causes.length === 0) break;
      const tried = { ...settings, [name]: value };
      const seen = await compareRecorded(recorded, tried);
      if (isNearer(seen, best)) [settings, best] = [tried, seen];
    }
  }
  return { settings, left: best.causes.map(({ cause }) => cause) };
}

/** Whether there are fewer causes and no new ones, with no less compared. */
function isNearer(seen: TwinSummary, best: TwinSummary): boolean {
  const known = new Set(namesOf(best.causes));
  const isWithin = namesOf(seen.causes).every((cause) => known.has(cause));
  const isFewer = namesOf(seen.causes).length < known.size && seen.differences < best.differences;
  return isWithin && isFewer && seen.compared >= best.compared;
}

/** Names of causes and of the differences that only occurred with them, because a setting can explain a part. */
const namesOf = (causes: readonly TwinCause[]): readonly string[] =>
  causes.flatMap(({ cause, also }) => [cause, ...also.map(({ name }) => name)]);

/** Settings of the assumptions that causes touch, the most often touched ones first. */
function settingsTouched(causes: readonly TwinCause[]): readonly SettingName[] {
  const counts = new Map<SettingName, number>();
  const seen = causes.flatMap(({ first, also }) => [first, ...also.map((one) => one.first)]);
  for (const { assumptions } of seen)
    for (const id of assumptions)
      for (const name of registry().assumptions.get(id)?.settings ?? [])
        if (!OF_RUNNING.has(name))
          counts.set(name as SettingName, (counts.get(name as SettingName) ?? 0) + 1);
  return [...counts].sort(([, one], [, other]) => other - one).map(([name]) => name);
}

/** Values to try, as in a settings file, without the default. */
function valuesOf(name: SettingName): readonly (string | number | boolean)[] {
  const { kind, preset } = SETTINGS[name];
  const { choices = [true, false, ...SPANS, ...COUNTS, ...CURRENCIES] } = kind as {
    readonly choices?: readonly (string | number | boolean)[];
  };
  const isUsable = (value: string | number | boolean) => kind.read(String(value)) !== undefined;
  return choices.filter((value) => isUsable(value) && value !== (preset as unknown));
}

/**
 * The settings as a file for `--config`.
 *
 * @param leftOut the number of requests that came after the recording was full
 */
export function profileText({ settings, left }: FoundProfile, leftOut: number): string {
  const head = [
    `# With these settings the emulator does more of what the service did; causes left: ${left.length}.`,
    ...(leftOut > 0 ? [`# Looked for in what came first; requests left out: ${leftOut}.`] : []),
  ];
  return `${head.join('\n')}\n${stringify(settings)}`;
}
