import { EFFECTS } from 'billing-emulator/spec';
import { type Command, InvalidArgumentError, Option } from 'commander';
import { PROFILES } from '../kit/run/options.ts';

interface Flag {
  readonly flag: string;
  readonly about: string;
  readonly read?: (text: string, earlier?: readonly string[]) => unknown;
  readonly choices?: readonly string[];
}

const UNITS: Readonly<Record<string, number>> = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000 };

/** Reads a span such as 10m or 30s into milliseconds. */
export function milliseconds(text: string): number {
  const match = /^(\d+)(ms|s|m|h)$/.exec(text);
  if (!match) throw new InvalidArgumentError('Expected a span such as 500ms, 30s, 10m or 1h.');
  return Number(match[1]) * (UNITS[match[2] as string] as number);
}

export function wholeNumber(text: string): number {
  if (!/^\d{1,9}$/.test(text)) throw new InvalidArgumentError('Expected a whole number.');
  return Number(text);
}

function list(text: string, earlier: readonly string[] = []): readonly string[] {
  return [...earlier, ...text.split(',').filter((part) => part !== '')];
}

/** A request in the form of the specification, which may hold commas of its own. */
function repeated(text: string, earlier: readonly string[] = []): readonly string[] {
  return [...earlier, text];
}

/** `:8080` or `8080`. */
const port = (text: string) => wholeNumber(text.replace(/^:/, ''));

/** What is run, or tried by the self-test. */
export const ONLY: Flag = {
  flag: '--only <globs>',
  about: 'Checks or resources to run',
  read: list,
};

/** Flags that say where the target is and how it is spoken to. */
export const TARGET_FLAGS: readonly Flag[] = [
  { flag: '--base-url <url>', about: 'Address of the target; none starts an emulator' },
  { flag: '--key-env <name>', about: 'Variable that holds the API key' },
  {
    flag: '--key-place <place>',
    about: 'bearer, or header:<name>; else the header of the service',
  },
  { flag: '--service-name <name>', about: 'Name that forms the header names (Service)' },
  { flag: '--timeout <span>', about: 'Longest wait for one answer (30s)', read: milliseconds },
  { flag: '--state <folder>', about: 'Folder of run records (reports/contract)' },
  { flag: '--no-color', about: 'Plain text' },
];

/** Flags that say what is run and how far it may go. */
export const RUN_FLAGS: readonly Flag[] = [
  { flag: '--effects <class>', about: 'Highest effect class', choices: EFFECTS },
  { flag: '--confirm-account <id>', about: 'Account that more effects are meant for' },
  { flag: '--rps <number>', about: 'Requests a second', read: wholeNumber },
  { flag: '--max-requests <number>', about: 'Budget of requests', read: wholeNumber },
  { flag: '--max-creates <number>', about: 'Budget of created objects', read: wholeNumber },
  { flag: '--consumables <number>', about: 'Objects that may be used up', read: wholeNumber },
  ONLY,
  { flag: '--skip <globs>', about: 'Checks or resources to leave out', read: list },
  { flag: '--op <request>', about: 'Only about a request, "POST /customers"', read: repeated },
  { flag: '--level <levels>', about: 'MUST, SHOULD, IMPLIED, ASSUMED', read: list },
  { flag: '--profile <name>', about: 'What the run is for (full)', choices: PROFILES },
  { flag: '--baseline <file>', about: 'Failures that are known' },
  { flag: '--update-baseline', about: 'Write the failures of this run as the baseline' },
  { flag: '--capabilities <file>', about: 'What the target offers, what is excused until when' },
  {
    flag: '--workers <number>',
    about: 'Files side by side, on a fresh emulator (4)',
    read: wholeNumber,
  },
  {
    flag: '--shuffle-seed <number>',
    about: 'Seed of the order (that of the files)',
    read: wholeNumber,
  },
  { flag: '--repeat <number>', about: 'How often, each time in another order', read: wholeNumber },
  { flag: '--run-id <text>', about: 'Name of the run, in what it makes' },
  {
    flag: '--consistency <span>',
    about: 'How long what was written may take to be read (not at all)',
    read: milliseconds,
  },
  { flag: '--deadline <span>', about: 'Longest the run may take', read: milliseconds },
  { flag: '--webhook-url <url>', about: 'Public address that forwards to the receiver' },
  { flag: '--webhook-listen <port>', about: 'Port of the receiver', read: port },
  { flag: '--payment-hook <command>', about: 'Command that completes a payment at {redirect_url}' },
  { flag: '--report <list>', about: 'Reports: junit=F,json=F,html=F,md=F,ndjson=F', read: list },
  { flag: '--show-values', about: 'Keep values in records and reports' },
  { flag: '--closed', about: 'Warn of fields that the document does not name' },
  {
    flag: '--assumptions <mode>',
    about: 'Whether refuted ones fail',
    choices: ['observe', 'insist'],
  },
  { flag: '--gate-cells <number>', about: 'Fewest cells that must be asserted', read: wholeNumber },
  {
    flag: '--flaky <mode>',
    about: 'Whether a changed verdict fails (fail)',
    choices: ['fail', 'note'],
  },
];

/** Adds flags, each of which has a variable such as `CONTRACT_BASE_URL`. */
export function addFlags(command: Command, ...flags: readonly Flag[]): Command {
  for (const { flag, about, read, choices } of flags) {
    const option = new Option(flag, about);
    if (read) option.argParser<unknown>((text, earlier) => read(text, earlier as string[]));
    if (choices) option.choices(choices);
    const variable = option.attributeName().replaceAll(/[A-Z]/g, '_$&').toUpperCase();
    command.addOption(option.env(`CONTRACT_${variable}`));
  }
  return command;
}
