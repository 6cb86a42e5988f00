import { spawnSync } from 'node:child_process';
import { appendFileSync, existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { fail, installedCommand } from '../installed.js';

const FOLDER = 'reports/billing-contract';
const REPORT = `${FOLDER}/contract.json`;

/** GitHub shows ten annotations of a step, and summaries of up to a megabyte. */
const MAX_ANNOTATIONS = 10;
const MAX_ROWS = 200;

/** Outcomes of checks that make a run fail. */
const RED = new Set(['fail', 'untestable', 'harness_error']);

/** Runs the suite, and tells GitHub what failed. */
function run() {
  const { INPUT_FLAGS = '', GITHUB_OUTPUT, GITHUB_STEP_SUMMARY } = process.env;
  const flags = INPUT_FLAGS.split(/\s+/).filter((flag) => flag !== '');
  mkdirSync(FOLDER, { recursive: true });
  rmSync(REPORT, { force: true });
  const reports = [
    `json=${REPORT}`,
    `junit=${FOLDER}/contract.xml`,
    `html=${FOLDER}/contract.html`,
  ];
  const line = [installedCommand(), 'contract', ...flags, '--report', reports.join(',')];
  const { status } = spawnSync(process.execPath, line, { stdio: 'inherit' });
  appendFileSync(GITHUB_OUTPUT, `exit-code=${status}\n`);
  process.exitCode = status ?? 1;
  if (!existsSync(REPORT)) return fail('The contract suite did not run.');
  const report = JSON.parse(readFileSync(REPORT, 'utf8'));
  appendFileSync(GITHUB_STEP_SUMMARY, summaryOf(report));
  for (const { id, title, reason } of failuresIn(report).slice(0, MAX_ANNOTATIONS))
    console.log(`::error title=${escaped(`${id} ${title}`, true)}::${escaped(reason ?? 'failed')}`);
}

const failuresIn = ({ checks }) => checks.filter(({ outcome }) => RED.has(outcome));

function summaryOf(report) {
  const { claim, totals, exit, target } = report;
  const failures = failuresIn(report);
  const counts = Object.entries(totals).map(([outcome, count]) => `${count} ${outcome}`);
  const lines = [
    `## Billing contract: ${claim}`,
    '',
    `${target.origin}: ${counts.join(', ')}.`,
    ...exit.reasons.map(({ code, text }) => `- exit ${code}: ${text}`),
  ];
  if (failures.length > 0) lines.push('', '| check | outcome | reason |', '|---|---|---|');
  for (const { id, title, outcome, reason = '' } of failures.slice(0, MAX_ROWS))
    lines.push(`| ${id} ${cell(title)} | ${outcome} | ${cell(reason)} |`);
  return `${lines.join('\n')}\n`;
}

const cell = (text) => text.replaceAll('|', '\\|').replaceAll('\n', ' ').slice(0, 500);

/** Text of an annotation. In its title, colons and commas separate properties. */
function escaped(text, isTitle = false) {
  const plain = text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
  return isTitle ? plain.replaceAll(':', '%3A').replaceAll(',', '%2C') : plain;
}

try {
  run();
} catch ({ message }) {
  fail(message);
}
