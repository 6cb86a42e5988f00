import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { type JunitResult, junitXml, printable } from 'billing-emulator/spec';
import { type Command, InvalidArgumentError, Option } from 'commander';
import { commaList, expected, httpUrl, wholeNumber } from '../kit/run/read-options.ts';
import { RECEIVER_CHECK_IDS, type ReceiverCheckId } from '../receiver/checks.ts';
import { checkReceiver, type ReceiverCheckResult, type ReceiverReport } from '../receiver/run.ts';

interface Flags {
  readonly secret: string;
  readonly serviceName: string;
  readonly effects?: string;
  readonly data?: Readonly<Record<string, unknown>>;
  readonly now?: number;
  readonly timeout?: number;
  readonly skip?: readonly ReceiverCheckId[];
  readonly json?: boolean;
  readonly junit?: string;
}

/** `billing-emulator webhooks check`: checks a receiver. It needs no running emulator. */
export function addWebhooks(program: Command): void {
  program
    .command('webhooks')
    .description('Check a receiver of webhooks')
    .command('check')
    .description('Check a webhook receiver; exits with 0 if every check passes, with 1 if not')
    .argument('<url>', 'URL of the receiver', httpUrl)
    .addOption(
      new Option('--secret <secret>', 'Secret of the receiver')
        .env('WEBHOOK_SECRET')
        .makeOptionMandatory(),
    )
    .addOption(
      new Option('--service-name <name>', 'Name from which the signature header is made')
        .env('BILLING_EMULATOR_SERVICE_NAME')
        .argParser(serviceName)
        .default('Service'),
    )
    .option('--effects <url>', 'URL that shows what effect deliveries had', httpUrl)
    .option('--data <json>', "Fields of the events' data, a JSON object", jsonObject)
    .option('--now <date-time>', 'Current time of the receiver', unixSeconds)
    .option('--timeout <seconds>', 'Response timeout (15)', wholeNumber(1))
    .option('--skip <checks>', 'Checks to skip, comma-separated', checkIds)
    .option('--json', 'Print the report as JSON')
    .option('--junit <file>', 'Write a JUnit report')
    .action(check);
}

async function check(url: string, { effects: effectsUrl, ...flags }: Flags): Promise<void> {
  const { timeout = 15, json, junit } = flags;
  const report = await checkReceiver({ url, effectsUrl, ...flags, timeout: timeout * 1000 });
  process.stdout.write(printable(json ? `${JSON.stringify(report, null, 2)}\n` : textOf(report)));
  if (junit !== undefined) {
    mkdirSync(dirname(junit), { recursive: true });
    writeFileSync(junit, junitXml([suiteOf(report)]));
  }
  process.exitCode = report.passed ? 0 : 1;
}

function textOf({ items, passed_count, failed_count, skipped_count }: ReceiverReport): string {
  const widest = Math.max(...RECEIVER_CHECK_IDS.map((id) => id.length));
  const lines = items.flatMap(({ id, title, expectation, verdict, reason, remark }) => [
    `${verdict.padEnd(7)}  ${id.padEnd(widest)}  ${title}`,
    ...(reason === null ? [] : [`         ${expectation}: ${reason}`]),
    ...(remark === null ? [] : [`         remark: ${remark}`]),
  ]);
  const counts = `${passed_count} passed, ${failed_count} failed, ${skipped_count} skipped`;
  return `${lines.join('\n')}\n${counts}\n`;
}

function suiteOf({ url, items }: ReceiverReport) {
  const cases = items.map(({ id, title, verdict, reason }) => ({
    name: `${id}: ${title}`,
    result: resultOf(verdict, reason),
  }));
  return { name: url, cases };
}

function resultOf(
  verdict: ReceiverCheckResult['verdict'],
  reason: string | null,
): JunitResult | undefined {
  if (verdict === 'skipped') return { kind: 'skipped' };
  return verdict === 'failed' ? { kind: 'failure', detail: reason ?? '' } : undefined;
}

function serviceName(text: string): string {
  if (/^[A-Za-z][A-Za-z0-9-]{0,39}$/.test(text)) return text;
  return expected('a letter, then letters, digits and hyphens');
}

function unixSeconds(text: string): number {
  const moment = /^\d{4}-\d\d-\d\dT/.test(text) ? Date.parse(text) : Number.NaN;
  if (!Number.isNaN(moment)) return Math.floor(moment / 1000);
  return expected('a date-time such as 2026-03-31T23:00:00Z');
}

function jsonObject(text: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === 'object' && value !== null && !Array.isArray(value))
      return value as Record<string, unknown>;
  } catch {
    // Reported like any other text that is no object.
  }
  return expected('a JSON object');
}

function checkIds(text: string): readonly ReceiverCheckId[] {
  const ids = commaList(text).map((id) => id.trim());
  const unknown = ids.find((id) => !RECEIVER_CHECK_IDS.includes(id as ReceiverCheckId));
  if (unknown === undefined) return ids as ReceiverCheckId[];
  throw new InvalidArgumentError(
    `There is no ${unknown}. Known: ${RECEIVER_CHECK_IDS.join(', ')}.`,
  );
}
