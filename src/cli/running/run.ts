import type { Command } from 'commander';
import { type ClientResponse, ConnectionError, createClient } from '../../client/index.ts';
import { DEFAULT_KEY } from '../../config/access.ts';
import { readSettings, type Settings } from '../../config/settings.ts';
import { expandFolders, FixtureError, readFixture } from '../../fixtures/fixture-file.ts';
import { openRemoteTarget } from '../../fixtures/remote-target.ts';
import { describeOutcome, RUN_START, runFixture } from '../../fixtures/run-fixture.ts';
import { nameOfStep, type ScenarioStep, type ScenarioTarget } from '../../fixtures/scenario.ts';
import { createEmulator } from '../../main.ts';
import { type JunitCase, type JunitSuite, junitXml } from '../../text/junit.ts';
import { plural } from '../../text/wording.ts';
import type { Resolve } from '../../webhooks/egress.ts';
import { EXIT } from '../failure.ts';
import { httpUrl } from '../flags.ts';
import { print, writeReport } from '../print.ts';
import { addSettingFlags, gatherSettings } from './setting-flags.ts';

interface FixtureReport {
  readonly file: string;
  readonly about?: string;
  readonly steps: readonly StepReport[];
  /** The warnings of its world, apart from mere information. */
  readonly warnings?: readonly string[];
  /** Whether warnings make it fail. */
  readonly strict?: boolean;
  /** Why the fixture could not run, with a line for each problem. */
  readonly unusable?: string;
}

interface StepReport {
  readonly name: string;
  readonly problems: readonly string[];
  readonly skipped: boolean;
}

/** `billing-emulator run`: runs fixtures as tests, each in its own world. */
export function addRun(program: Command): void {
  const command = program
    .command('run')
    .description('Run fixtures as tests; exits with 0 if all expectations are met, with 1 if not')
    .argument('<file...>', 'fixtures, folders of them, or names from the library')
    .option('--junit <file>', 'Write a JUnit report')
    .option(
      '--url <url>',
      'Run them at this address: a twin, an emulator or a live service',
      httpUrl,
    )
    .option('--key-env <name>', 'Variable with the API key for --url (default: a new sandbox)')
    .option('--strict', 'Fail a fixture that causes warnings')
    .option('--json', 'Print the report as JSON');
  addSettingFlags(command, ['clock_now']).action(run);
}

type Flags = Readonly<Record<string, string>>;

async function run(names: readonly string[], flags: Flags) {
  const settings = readRunSettings(flags);
  const reports: FixtureReport[] = [];
  for (const name of names.flatMap(fixturesOf)) {
    const found = await runFile(name, settings, flags);
    const report = { ...found, strict: 'strict' in flags };
    reports.push(report);
    if (!flags['json']) print(linesOf(report).join('\n'));
  }
  if (flags['json']) print(JSON.stringify(reports, undefined, 2));
  if (flags['junit'] !== undefined) writeReport(flags['junit'], junitXml(reports.map(suiteOf)));
  process.exitCode = exitCodeOf(reports);
}

/** A fixture, or those of a folder. A folder without any stands for itself: its run would prove nothing. */
function fixturesOf(name: string): readonly string[] {
  const found = expandFolders([name]);
  return found.length > 0 ? found : [name];
}

/** @throws SettingsError */
function readRunSettings(flags: Flags): Settings {
  const forced = { clock: 'frozen', fixture: '', sandbox_fixture: '', data: '' };
  return readSettings(forced, ...gatherSettings(flags), {
    clock_now: RUN_START,
    log_level: 'error',
  });
}

async function runFile(name: string, settings: Settings, flags: Flags): Promise<FixtureReport> {
  let opened: OpenedTarget | undefined;
  try {
    if (expandFolders([name]).length === 0)
      throw new FixtureError(`${name}: the folder has no fixtures.`);
    const fixture = readFixture(name, settings.unknown_fields);
    opened = flags['url'] === undefined ? anEmulator(settings) : await atUrl(name, settings, flags);
    const { target } = opened;
    const outcomes = await runFixture(fixture, target);
    const steps = outcomes.map((outcome) => {
      const step = fixture.scenario.steps[outcome.index] as ScenarioStep;
      const label =
        step.about === undefined ? nameOfStep(step) : `${nameOfStep(step)}: ${step.about}`;
      return { name: label, skipped: outcome.skipped, problems: describeOutcome(fixture, outcome) };
    });
    return {
      file: fixture.file,
      about: fixture.scenario.about,
      steps,
      warnings: await warningsOf(target),
    };
  } catch (error) {
    if (!(error instanceof FixtureError)) throw error;
    return { file: name, steps: [], unusable: error.message };
  } finally {
    await opened?.close();
  }
}

interface OpenedTarget {
  readonly target: ScenarioTarget;
  close(): Promise<void>;
}

function anEmulator(settings: Settings): OpenedTarget {
  const emulator = createEmulator({ settings, resolve: findNobody });
  const world = emulator.worlds.find(DEFAULT_KEY);
  if (!world) throw new FixtureError('The default key must be in the setting keys.');
  return { target: emulator.targetOf(world), close: () => emulator.close() };
}

/** @throws FixtureError when the variable of the key is empty, ConnectionError where nothing responds */
async function atUrl(
  name: string,
  { service_name: serviceName }: Settings,
  { url = '', keyEnv }: Flags,
): Promise<OpenedTarget> {
  const given = keyEnv === undefined ? undefined : process.env[keyEnv];
  if (keyEnv !== undefined && !given)
    throw new FixtureError(`The variable ${keyEnv} contains no key.`);
  const sandbox = `run-${process.pid}-${name.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-')}`;
  const key = given ?? `key_test_${sandbox.slice(0, 60)}`;
  try {
    const target = await openRemoteTarget(createClient({ url, key, serviceName }), url);
    return { target, close: () => target.leave() };
  } catch (error) {
    if (error instanceof ConnectionError) throw error;
    throw new FixtureError(`${url}: ${(error as Error).message}`);
  }
}

/** The warnings of a world, apart from mere information. */
async function warningsOf(target: ScenarioTarget): Promise<readonly string[]> {
  const { status, body } = await target.send({ call: 'listWarnings', query: { limit: 1_000 } });
  // A live service has no warnings of the emulator.
  if (status !== 200) return [];
  const { items } = body as ClientResponse<'listWarnings'>;
  return items.filter(({ level }) => level === 'warning').map(({ message }) => message);
}

/**
 * A fixture under test delivers only to inboxes and to receivers on this machine. No other host name resolves.
 *
 * @assumes A-1304
 */
const findNobody: Resolve = (hostname, _options, done) =>
  done(new Error(`A fixture that is run as a test does not connect to ${hostname}.`), []);

function linesOf(report: FixtureReport): readonly string[] {
  const { file, steps, unusable, warnings = [] } = report;
  if (unusable !== undefined) return [`unusable  ${file}`, ...unusable.split('\n').map(indent)];
  const problems = steps.flatMap((step) => step.problems);
  const skipped = steps.filter((step) => step.skipped).length;
  const counts = [
    plural(steps.length, 'step'),
    ...(skipped > 0 ? [`${skipped} not reached`] : []),
    ...(warnings.length > 0 ? [plural(warnings.length, 'warning')] : []),
  ];
  const hasFailed = isFailing(report);
  const accepted = hasFailed ? warnings.map((message) => `warning: ${message}`) : [];
  const verdict = hasFailed ? 'failed' : 'passed';
  return [`${verdict}  ${file}  (${counts.join(', ')})`, ...[...problems, ...accepted].map(indent)];
}

/** Whether an expectation is not met or, if that matters, there was a warning. */
const isFailing = ({ steps, warnings = [], strict }: FixtureReport): boolean =>
  steps.some(({ problems }) => problems.length > 0) || (strict === true && warnings.length > 0);

/**
 * Creates a test case for each step, and one named `warnings` if those matter; a single one named `read` if the fixture
 * is unusable.
 */
function suiteOf({ file, steps, unusable, warnings = [], strict }: FixtureReport): JunitSuite {
  const cases = steps.map(({ name, problems, skipped }, index): JunitCase => {
    const failure = { kind: 'failure', detail: problems.join('\n') } as const;
    const result = skipped ? ({ kind: 'skipped' } as const) : failure;
    const isFine = !skipped && problems.length === 0;
    return { name: `${index + 1} ${name}`, result: isFine ? undefined : result };
  });
  const warned: JunitCase = {
    name: 'warnings',
    result: { kind: 'failure', detail: warnings.join('\n') },
  };
  if (unusable === undefined)
    return { name: file, cases: strict && warnings.length > 0 ? [...cases, warned] : cases };
  const error: JunitCase = { name: 'read', result: { kind: 'error', detail: unusable } };
  return { name: file, cases: [...cases, error] };
}

const indent = (line: string): string => `  ${line}`;

function exitCodeOf(reports: readonly FixtureReport[]): number {
  if (reports.some(({ unusable }) => unusable !== undefined)) return EXIT.configuration;
  return reports.some(isFailing) ? EXIT.failure : 0;
}
