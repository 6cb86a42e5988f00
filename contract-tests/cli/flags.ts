import { EFFECTS } from 'billing-emulator/spec';
import { type Command, InvalidArgumentError, Option } from 'commander';
import { PROFILES } from '../kit/run/options.ts';

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
function port(text: string): number {
  return wholeNumber(text.replace(/^:/, ''));
}

function flag(
  command: Command,
  flags: string,
  about: string,
  shape: (option: Option) => Option,
): void {
  const option = shape(new Option(flags, about));
  const variable = `CONTRACT_${option.attributeName().replaceAll(/[A-Z]/g, '_$&').toUpperCase()}`;
  command.addOption(option.env(variable));
}

const plain = (option: Option): Option => option;

/** Flags that say where the target is and how it is spoken to. */
export function addTargetFlags(command: Command): Command {
  flag(command, '--base-url <url>', 'Address of the target; none starts an emulator', plain);
  flag(command, '--key-env <name>', 'Variable that holds the API key', plain);
  flag(
    command,
    '--key-place <place>',
    'bearer, or header:<name>; default the header of the service',
    plain,
  );
  flag(command, '--service-name <name>', 'Name that forms the header names', (option) =>
    option.default('Service'),
  );
  flag(command, '--timeout <span>', 'Longest wait for one answer', (option) =>
    option.argParser(milliseconds).default(30_000, '30s'),
  );
  flag(command, '--state <folder>', 'Folder of run records and ledgers', (option) =>
    option.default('reports/contract'),
  );
  flag(command, '--no-color', 'Plain text', plain);
  return command;
}

/** Flags that say what is run and how far it may go. */
export function addRunFlags(command: Command): Command {
  addSafetyFlags(command);
  addSelectionFlags(command);
  flag(command, '--baseline <file>', 'Failures that are known', plain);
  flag(command, '--update-baseline', 'Write the failures of this run as the baseline', plain);
  flag(
    command,
    '--capabilities <file>',
    'What the target offers, and what is excused until when',
    plain,
  );
  flag(command, '--workers <number>', 'Files side by side, on an emulator of ours', (option) =>
    option.argParser(wholeNumber).default(1),
  );
  flag(
    command,
    '--shuffle-seed <number>',
    'Seed of the order; 0 keeps the order of the files',
    (option) => option.argParser(wholeNumber).default(0),
  );
  flag(command, '--repeat <number>', 'How often, each time in another order', (option) =>
    option.argParser(wholeNumber),
  );
  flag(command, '--run-id <text>', 'Name of the run, in what it makes', plain);
  flag(command, '--deadline <span>', 'Longest the run may take', (option) =>
    option.argParser(milliseconds),
  );
  flag(command, '--webhook-url <url>', 'Public address that forwards to the receiver', plain);
  flag(command, '--webhook-listen <port>', 'Port of the receiver', (option) =>
    option.argParser(port),
  );
  flag(
    command,
    '--payment-hook <command>',
    'Command that completes a payment at {redirect_url}',
    plain,
  );
  flag(command, '--report <list>', 'Reports: junit=F,json=F,html=F,md=F,ndjson=F', (option) =>
    option.argParser(list),
  );
  flag(command, '--show-values', 'Keep values in records and reports', plain);
  flag(command, '--closed', 'Warn of fields that the document does not name', plain);
  flag(command, '--assumptions <mode>', 'Whether refuted assumptions fail', (option) =>
    option.choices(['observe', 'insist']),
  );
  flag(command, '--gate-cells <number>', 'Fewest cells that must be asserted', (option) =>
    option.argParser(wholeNumber),
  );
  flag(command, '--flaky <mode>', 'Whether a changed verdict fails', (option) =>
    option.choices(['fail', 'note']).default('fail'),
  );
  return command;
}

function addSafetyFlags(command: Command): void {
  flag(command, '--effects <class>', 'Highest effect class', (option) => option.choices(EFFECTS));
  flag(command, '--confirm-account <id>', 'Account that more effects are meant for', plain);
  flag(command, '--rps <number>', 'Requests a second', (option) => option.argParser(wholeNumber));
  flag(command, '--max-requests <number>', 'Budget of requests', (option) =>
    option.argParser(wholeNumber),
  );
  flag(command, '--max-creates <number>', 'Budget of created objects', (option) =>
    option.argParser(wholeNumber),
  );
  flag(command, '--consumables <number>', 'Objects that may be used up on the target', (option) =>
    option.argParser(wholeNumber),
  );
}

function addSelectionFlags(command: Command): void {
  flag(command, '--only <globs>', 'Checks or resources to run', (option) => option.argParser(list));
  flag(command, '--skip <globs>', 'Checks or resources to leave out', (option) =>
    option.argParser(list),
  );
  flag(
    command,
    '--op <request>',
    'Only checks about a request, such as "POST /customers"',
    (option) => option.argParser(repeated),
  );
  flag(command, '--level <levels>', 'MUST, SHOULD, IMPLIED, ASSUMED', (option) =>
    option.argParser(list),
  );
  flag(command, '--profile <name>', 'What the run is for', (option) =>
    option.choices(PROFILES).default('full'),
  );
}
