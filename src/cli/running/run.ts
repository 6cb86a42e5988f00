import { statSync } from 'node:fs';
import type { Command } from 'commander';
import { readSettings, type Settings } from '../../config/settings.ts';
import { FixtureError, fixtureFile, fixturesIn, readFixture } from '../../fixtures/read.ts';
import { describeOutcome, runFixture } from '../../fixtures/run-fixture.ts';
import { nameOfStep, type ScenarioStep } from '../../fixtures/scenario.ts';
import { createEmulator } from '../../main.ts';
import { DEFAULT_SANDBOX } from '../../store/worlds.ts';
import { type JunitCase, type JunitSuite, junitXml } from '../../text/junit.ts';
import { plural } from '../../text/plural.ts';
import type { Resolve } from '../../webhooks/egress.ts';
import { EXIT } from '../exit-codes.ts';
import { print, writeReport } from '../print.ts';
import { addSettingFlags, gatherSettings } from './setting-flags.ts';

/** Default start of the clock. It is fixed, so that runs are identical. */
const RUN_START = '2026-01-15T12:00:00.000Z';

interface FixtureReport {
  readonly file: string;
  readonly about?: string;
  readonly steps: readonly StepReport[];
  /** For a failed fixture: the warnings of its world. */
  readonly warnings?: readonly string[];
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
    .option('--json', 'Print the report as JSON');
  addSettingFlags(command, ['clock_now']).action(run);
}

async function run(names: readonly string[], flags: Readonly<Record<string, string>>) {
  const settings = readRunSettings(flags);
  const reports: FixtureReport[] = [];
  for (const name of names.flatMap(expand)) {
    const report = await runFile(name, settings);
    reports.push(report);
    if (!flags['json']) print(linesOf(report).join('\n'));
  }
  if (flags['json']) print(JSON.stringify(reports, undefined, 2));
  if (flags['junit'] !== undefined) writeReport(flags['junit'], junitXml(reports.map(suiteOf)));
  process.exitCode = exitCodeOf(reports);
}

/** @throws SettingsError */
function readRunSettings(flags: Readonly<Record<string, string>>): Settings {
  const forced = { clock: 'frozen', fixture: '', init: '', sandbox_fixture: '', data: '' };
  return readSettings(forced, ...gatherSettings(flags), {
    clock_now: RUN_START,
    log_level: 'error',
  });
}

/** Returns the fixtures in a folder, or the name itself if it is no folder. */
const expand = (name: string): readonly string[] =>
  statSync(name, { throwIfNoEntry: false })?.isDirectory() ? fixturesIn(name) : [name];

async function runFile(name: string, settings: Settings): Promise<FixtureReport> {
  const emulator = createEmulator({ settings, resolve: findNobody });
  try {
    const fixture = readFixture(name, settings.unknown_fields);
    const world = emulator.worlds.find(`key_test_${DEFAULT_SANDBOX}`);
    if (!world) throw new FixtureError('The default key must be in the setting keys.');
    const outcomes = await runFixture(fixture, emulator.targetOf(world));
    const steps = outcomes.map((outcome) => {
      const step = fixture.scenario.steps[outcome.index] as ScenarioStep;
      const label =
        step.about === undefined ? nameOfStep(step) : `${nameOfStep(step)}: ${step.about}`;
      return { name: label, skipped: outcome.skipped, problems: describeOutcome(fixture, outcome) };
    });
    const isFailing = steps.some(({ problems }) => problems.length > 0);
    const warnings = isFailing ? [...world.tables.warnings.values()] : [];
    return {
      file: fixture.file,
      about: fixture.scenario.about,
      steps,
      warnings: warnings.map(({ message }) => message),
    };
  } catch (error) {
    if (!(error instanceof FixtureError)) throw error;
    return { file: fixtureFile(name), steps: [], unusable: error.message };
  } finally {
    await emulator.close();
  }
}

/**
 * A fixture under test delivers only to inboxes and to receivers on this machine. No other host name resolves.
 *
 * @assumes A-1304
 */
const findNobody: Resolve = (hostname, _options, done) =>
  done(new Error(`A fixture that is run as a test does not connect to ${hostname}.`), []);

function linesOf({ file, steps, unusable, warnings = [] }: FixtureReport): readonly string[] {
  if (unusable !== undefined) return [`unusable  ${file}`, ...unusable.split('\n').map(indent)];
  const problems = steps.flatMap((step) => step.problems);
  const skipped = steps.filter((step) => step.skipped).length;
  const rest = skipped > 0 ? `, ${skipped} not reached` : '';
  const verdict = problems.length > 0 ? 'failed' : 'passed';
  const count = plural(steps.length, 'step');
  const accepted = warnings.map((message) => `warning: ${message}`);
  return [`${verdict}  ${file}  (${count}${rest})`, ...[...problems, ...accepted].map(indent)];
}

/** Creates a test case for each step, or a single one named `read` if the fixture is unusable. */
function suiteOf({ file, steps, unusable }: FixtureReport): JunitSuite {
  const cases = steps.map(({ name, problems, skipped }, index): JunitCase => {
    const failure = { kind: 'failure', detail: problems.join('\n') } as const;
    const result = skipped ? ({ kind: 'skipped' } as const) : failure;
    const isFine = !skipped && problems.length === 0;
    return { name: `${index + 1} ${name}`, result: isFine ? undefined : result };
  });
  if (unusable === undefined) return { name: file, cases };
  const error: JunitCase = { name: 'read', result: { kind: 'error', detail: unusable } };
  return { name: file, cases: [...cases, error] };
}

const indent = (line: string): string => `  ${line}`;

function exitCodeOf(reports: readonly FixtureReport[]): number {
  if (reports.some(({ unusable }) => unusable !== undefined)) return EXIT.configuration;
  const failed = reports.some(({ steps }) => steps.some(({ problems }) => problems.length > 0));
  return failed ? EXIT.failure : 0;
}
