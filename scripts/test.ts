import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { relative } from 'node:path';
import { fileURLToPath } from 'node:url';

/**
 * Runs every test file of the repository and prints one line with the total counts: Vitest runs all but the contract
 * checks in `contract-tests/cases`, which the contract run takes. A test file that neither ran counts as a failure.
 */
const ROOT = fileURLToPath(new URL('..', import.meta.url));
const CASES = 'contract-tests/cases/';
const REPORTS = new URL('../reports/', import.meta.url);

interface Outcome {
  readonly passed: number;
  readonly failed: number;
}

interface VitestReport {
  readonly numPassedTests: number;
  readonly numFailedTests: number;
  readonly testResults: readonly {
    readonly name: string;
    readonly status: string;
    readonly assertionResults: readonly unknown[];
  }[];
}

mkdirSync(REPORTS, { recursive: true });
const outcomes = [runVitest(), runContract()];
const passed = outcomes.reduce((sum, outcome) => sum + outcome.passed, 0);
const failed = outcomes.reduce((sum, outcome) => sum + outcome.failed, 0);
process.stdout.write(`\n${passed} passed, ${failed} failed\n`);
process.exitCode = failed === 0 ? 0 : 1;

function runVitest(): Outcome {
  const file = fileURLToPath(new URL('unit.json', REPORTS));
  rmSync(file, { force: true });
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${file}`];
  const { status } = run('npx', ['vitest', 'run', `--exclude=${CASES}**`, ...reporters]);
  return countReport(JSON.parse(readFileSync(file, 'utf8')) as VitestReport, status);
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

/** The counts of a report. A file that failed before its first test, or that was not run, counts as one failure. */
function countReport(report: VitestReport, status: number | null): Outcome {
  const broken = report.testResults.filter(
    (suite) => suite.status === 'failed' && suite.assertionResults.length === 0,
  ).length;
  const leftOut = notRun(report);
  for (const file of leftOut) process.stdout.write(`${file} was not run\n`);
  const failed = report.numFailedTests + broken + leftOut.length;
  return { passed: report.numPassedTests, failed: failed === 0 && status !== 0 ? 1 : failed };
}

/** The test files, new ones included, that neither the reported run nor the contract run takes. */
function notRun({ testResults }: VitestReport): readonly string[] {
  const ran = new Set(testResults.map(({ name }) => relative(ROOT, name)));
  const listing = [
    'ls-files',
    '--cached',
    '--others',
    '--exclude-standard',
    '*.test.ts',
    '*.test.tsx',
  ];
  const files = spawnSync('git', listing, { cwd: ROOT, encoding: 'utf8' }).stdout.split('\n');
  return files.filter((file) => existsSync(file) && !file.startsWith(CASES) && !ran.has(file));
}

function run(command: string, args: readonly string[]) {
  return spawnSync(command, args, { cwd: ROOT, stdio: 'inherit' });
}
