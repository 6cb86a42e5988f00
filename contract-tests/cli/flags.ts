import { EFFECTS } from 'billing-emulator/spec';
import { type Command, Option } from 'commander';
import { commaList, expected, port, wholeNumber } from '../kit/run/flag-values.ts';

/** What each flag does. The name of its value selects how the value is parsed. */
type FlagTexts = Readonly<Record<string, string>>;

const UNITS: Readonly<Record<string, number>> = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000 };

/** A timer of Node waits no longer: it would end at once. */
const MAX_HOURS = 596;

/** A parser of durations such as 10m or 30s to milliseconds. */
const milliseconds =
  (least: number) =>
  (text: string): number => {
    const [, count, unit = ''] = /^(\d+)(ms|s|m|h)$/.exec(text) ?? [];
    const span = Number(count) * (UNITS[unit] ?? 0);
    if (span >= least && span <= MAX_HOURS * 3_600_000) return span;
    const range = `from ${least}ms to ${MAX_HOURS}h`;
    return expected(`a span ${range}, such as 500ms, 30s, 10m or 1h`);
  };

type Reader = (text: string, earlier?: readonly string[]) => unknown;

/** Parsers by value name; other values stay text. */
const READERS: Readonly<Record<string, Reader>> = {
  number: wholeNumber(),
  count: wholeNumber(1),
  port,
  span: milliseconds(1),
  lag: milliseconds(0),
  globs: commaList,
  list: commaList,
};

/** Selects checks for a run or for the self-test. */
export const ONLY: FlagTexts = { '--only <globs>': 'Checks or resources to run' };

/** Flags for the target and the connection to it. */
export const TARGET_FLAGS: FlagTexts = {
  '--base-url <url>': 'URL of the target (default: a fresh emulator)',
  '--key-env <name>': 'Environment variable with the API key',
  '--key-place <place>': "bearer, or header:<name> (default: the service's header)",
  '--service-name <name>': 'Name from which header names are made (Service)',
  '--timeout <span>': 'Response timeout (30s)',
  '--state <folder>': 'Folder for run records (reports/contract)',
  '--no-color': 'Print without colour',
};

/** Flags for the checks of a run and its limits. */
export const RUN_FLAGS: FlagTexts = {
  '--effects <class>': 'Highest effect class allowed; from E3 on checks leave objects for good',
  '--confirm-account <id>': "Account on which more than the target's default is allowed",
  '--rps <count>': 'Maximum requests per second',
  '--max-requests <number>': 'Maximum number of requests',
  '--max-creates <number>': 'Maximum number of created objects',
  ...ONLY,
  '--skip <globs>': 'Checks or resources to skip',
  '--workers <count>': 'Checks that run at once, on a fresh emulator (4)',
  '--run-id <text>': 'Name of the run, used in the objects it creates',
  '--consistency <lag>': 'How long reads may lag behind writes (0)',
  '--webhook-url <url>': 'Public URL that forwards to the receiver',
  '--webhook-listen <port>': 'Port of the receiver',
  '--payment-hook <command>': 'Command that completes a payment at {redirect_url}',
  '--offers <list>': 'What the target offers beyond its interface: clock.movable',
  '--report <list>': 'Reports to write: junit=F,json=F,html=F,ctrf=F,drift=F',
};

/** Adds flags. Each can also be set by a variable such as `CONTRACT_BASE_URL`. */
export function addFlags(command: Command, flags: FlagTexts): Command {
  for (const [flag, text] of Object.entries(flags)) {
    const option = new Option(flag, text);
    const read = READERS[/<(\w+)>/.exec(flag)?.[1] ?? ''];
    if (read) option.argParser<unknown>((given, earlier) => read(given, earlier as string[]));
    if (flag.startsWith('--effects')) option.choices(EFFECTS);
    const variable = option.attributeName().replaceAll(/[A-Z]/g, '_$&').toUpperCase();
    command.addOption(option.env(`CONTRACT_${variable}`));
  }
  return command;
}
