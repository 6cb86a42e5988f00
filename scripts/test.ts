import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** Runs all suites and prints one line with the total counts. */
const ROOT = fileURLToPath(new URL('..', import.meta.url));
const REPORTS = new URL('../reports/', import.meta.url);

interface Outcome {
  readonly passed: number;
  readonly failed: number;
}

interface VitestReport {
  readonly numPassedTests: number;
  readonly numFailedTests: number;
  readonly testResults: readonly {
    readonly status: string;
    readonly assertionResults: readonly unknown[];
  }[];
}

mkdirSync(REPORTS, { recursive: true });
const outcomes = [
  runVitest('unit', ['src', 'contract-tests/kit', 'contract-tests/proxy']),
  runContract(),
];
const passed = outcomes.reduce((sum, outcome) => sum + outcome.passed, 0);
const failed = outcomes.reduce((sum, outcome) => sum + outcome.failed, 0);
process.stdout.write(`\n${passed} passed, ${failed} failed\n`);
process.exitCode = failed === 0 ? 0 : 1;

function runVitest(name: string, filters: readonly string[]): Outcome {
  const file = fileURLToPath(new URL(`${name}.json`, REPORTS));
  rmSync(file, { force: true });
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${file}`];
  const { status } = run('npx', ['vitest', 'run', ...filters, ...reporters]);
  return countReport(file, status);
}

interface ContractRecord {
  readonly checks: readonly { readonly outcome: string }[];
  readonly exit: { readonly code: number };
}

/** The contract suite, against an emulator started for it. */
function runContract(): Outcome {
  const file = fileURLToPath(new URL('contract.json', REPORTS));
  rmSync(file, { force: true });
  run('npm', ['run', '--silent', 'build', '--', '--code']);
  run(process.execPath, ['bin/billing-emulator.js', 'contract', '--report', `json=${file}`]);
  const { checks, exit } = JSON.parse(readFileSync(file, 'utf8')) as ContractRecord;
  const passed = checks.filter(({ outcome }) => ['pass', 'confirmed'].includes(outcome)).length;
  const failed = checks.length - passed;
  return { passed, failed: failed === 0 && exit.code !== 0 ? 1 : failed };
}

/** The counts of a report; a file that failed before its first test counts as one failure. */
function countReport(file: string, status: number | null): Outcome {
  const report = JSON.parse(readFileSync(file, 'utf8')) as VitestReport;
  const broken = report.testResults.filter(
    (suite) => suite.status === 'failed' && suite.assertionResults.length === 0,
  ).length;
  const failed = report.numFailedTests + broken;
  return { passed: report.numPassedTests, failed: failed === 0 && status !== 0 ? 1 : failed };
}

function run(command: string, args: readonly string[]) {
  return spawnSync(command, args, { cwd: ROOT, stdio: 'inherit' });
}
