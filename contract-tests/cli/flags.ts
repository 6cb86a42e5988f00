import { EFFECTS } from 'billing-emulator/spec';
import { type Command, InvalidArgumentError, Option } from 'commander';
import { PROFILES } from '../kit/run/options.ts';

interface Flag {
  /** The flag with its value name, which selects how the value is parsed. */
  readonly flag: string;
  readonly about: string;
  readonly choices?: readonly string[];
}

const UNITS: Readonly<Record<string, number>> = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000 };

/** Parses a duration such as 10m or 30s to milliseconds. */
function milliseconds(text: string): number {
  const match = /^(\d+)(ms|s|m|h)$/.exec(text);
  if (!match) throw new InvalidArgumentError('Expected a span such as 500ms, 30s, 10m or 1h.');
  return Number(match[1]) * (UNITS[match[2] as string] as number);
}

export function wholeNumber(text: string): number {
  if (!/^\d{1,9}$/.test(text)) throw new InvalidArgumentError('Expected a whole number.');
  return Number(text);
}

const list = (text: string, earlier: readonly string[] = []): readonly string[] => [
  ...earlier,
  ...text.split(',').filter((part) => part !== ''),
];

/** Collects a repeatable flag whose values can contain commas. */
const repeated = (text: string, earlier: readonly string[] = []): readonly string[] => [
  ...earlier,
  text,
];

/** `:8080` or `8080`. */
const port = (text: string) => wholeNumber(text.replace(/^:/, ''));

type Reader = (text: string, earlier?: readonly string[]) => unknown;

/** Parsers by value name; other values stay text. */
const READERS: Readonly<Record<string, Reader>> = {
  ...{ number: wholeNumber, span: milliseconds, port, request: repeated },
  ...{ globs: list, levels: list, list },
};

/** Selects checks for a run or for the self-test. */
export const ONLY: Flag = { flag: '--only <globs>', about: 'Checks or resources to run' };

/** Flags for the target and the connection to it. */
export const TARGET_FLAGS: readonly Flag[] = [
  { flag: '--base-url <url>', about: 'URL of the target (default: a fresh emulator)' },
  { flag: '--key-env <name>', about: 'Environment variable with the API key' },
  {
    flag: '--key-place <place>',
    about: "bearer, or header:<name> (default: the service's header)",
  },
  { flag: '--service-name <name>', about: 'Name from which header names are made (Service)' },
  { flag: '--timeout <span>', about: 'Response timeout (30s)' },
  { flag: '--state <folder>', about: 'Folder for run records (reports/contract)' },
  { flag: '--no-color', about: 'Print without colour' },
];

/** Flags for the checks of a run and its limits. */
export const RUN_FLAGS: readonly Flag[] = [
  { flag: '--effects <class>', about: 'Highest effect class allowed', choices: EFFECTS },
  {
    flag: '--confirm-account <id>',
    about: "Account on which more than the target's default is allowed",
  },
  { flag: '--rps <number>', about: 'Maximum requests per second' },
  { flag: '--max-requests <number>', about: 'Maximum number of requests' },
  { flag: '--max-creates <number>', about: 'Maximum number of created objects' },
  { flag: '--consumables <number>', about: 'Maximum number of objects to use up' },
  ONLY,
  { flag: '--skip <globs>', about: 'Checks or resources to skip' },
  { flag: '--op <request>', about: 'Only checks of a request such as "POST /customers"' },
  { flag: '--level <levels>', about: 'MUST, SHOULD, IMPLIED, ASSUMED' },
  { flag: '--profile <name>', about: 'Purpose of the run (full)', choices: PROFILES },
  { flag: '--baseline <file>', about: 'File of known failures' },
  { flag: '--update-baseline', about: 'Write the failures of this run as the baseline' },
  {
    flag: '--capabilities <file>',
    about: 'File of what the target offers, and what is excused until when',
  },
  { flag: '--workers <number>', about: 'Files run in parallel, on a fresh emulator (4)' },
  { flag: '--shuffle-seed <number>', about: 'Seed of the order of checks (default: file order)' },
  { flag: '--repeat <number>', about: 'Number of runs, each in another order' },
  { flag: '--run-id <text>', about: 'Name of the run, used in the objects it creates' },
  { flag: '--consistency <span>', about: 'How long reads may lag behind writes (0)' },
  { flag: '--deadline <span>', about: 'Maximum duration of the run' },
  { flag: '--webhook-url <url>', about: 'Public URL that forwards to the receiver' },
  { flag: '--webhook-listen <port>', about: 'Port of the receiver' },
  { flag: '--payment-hook <command>', about: 'Command that completes a payment at {redirect_url}' },
  { flag: '--report <list>', about: 'Reports to write: junit=F,json=F,html=F,md=F,ndjson=F' },
  { flag: '--show-values', about: 'Keep values in records and reports' },
  { flag: '--closed', about: 'Warn of fields that the OpenAPI document does not name' },
  {
    flag: '--assumptions <mode>',
    about: 'Whether refuted assumptions fail the run',
    choices: ['observe', 'insist'],
  },
  { flag: '--gate-cells <number>', about: 'Minimum number of cells that must be asserted' },
  {
    flag: '--flaky <mode>',
    about: 'Whether a changed verdict fails the run (fail)',
    choices: ['fail', 'note'],
  },
];

/** Adds flags. Each can also be set by a variable such as `CONTRACT_BASE_URL`. */
export function addFlags(command: Command, ...flags: readonly Flag[]): Command {
  for (const { flag, about, choices } of flags) {
    const option = new Option(flag, about);
    const read = READERS[/<(\w+)>/.exec(flag)?.[1] ?? ''];
    if (read) option.argParser<unknown>((text, earlier) => read(text, earlier as string[]));
    if (choices) option.choices(choices);
    const variable = option.attributeName().replaceAll(/[A-Z]/g, '_$&').toUpperCase();
    command.addOption(option.env(`CONTRACT_${variable}`));
  }
  return command;
}
