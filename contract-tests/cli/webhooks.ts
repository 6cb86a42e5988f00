import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { type JunitResult, junitXml, printable } from 'billing-emulator/spec';
import { type Command, InvalidArgumentError, Option } from 'commander';
import { commaList, expected, httpUrl, wholeNumber } from '../kit/run/flag-values.ts';
import { RECEIVER_CHECK_IDS, type ReceiverCheckId } from '../receiver/checks.ts';
import { checkReceiver, type ReceiverCheckResult } from '../receiver/run.ts';

interface Flags {
  readonly secret: string;
  readonly serviceName: string;
  readonly effects?: string;
  readonly data?: Readonly<Record<string, unknown>>;
  readonly now?: number;
  readonly timeout: number;
  readonly skip?: readonly ReceiverCheckId[];
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
    .option('--timeout <seconds>', 'Response timeout', wholeNumber(1), 15)
    .option('--skip <checks>', 'Checks to skip, comma-separated', checkIds)
    .option('--junit <file>', 'Write a JUnit report')
    .action(check);
}

async function check(url: string, { effects: effectsUrl, ...flags }: Flags): Promise<void> {
  const { timeout, junit } = flags;
  const results = await checkReceiver({ url, effectsUrl, ...flags, timeout: timeout * 1000 });
  const unseen =
    effectsUrl === undefined ? 'Without --effects, effects of deliveries were not checked.\n' : '';
  process.stdout.write(printable(`${textOf(results)}${unseen}`));
  if (junit !== undefined) {
    mkdirSync(dirname(junit), { recursive: true });
    writeFileSync(junit, junitXml([suiteOf(url, results)]));
  }
  process.exitCode = results.some(({ verdict }) => verdict === 'failed') ? 1 : 0;
}

function textOf(results: readonly ReceiverCheckResult[]): string {
  const widest = Math.max(...RECEIVER_CHECK_IDS.map((id) => id.length));
  const lines = results.flatMap(({ id, title, expectation, verdict, reason }) => [
    `${verdict.padEnd(7)}  ${id.padEnd(widest)}  ${title}`,
    ...(reason === null ? [] : [`         ${expectation}: ${reason}`]),
  ]);
  const count = (wanted: string) => results.filter(({ verdict }) => verdict === wanted).length;
  const counts = ['passed', 'failed', 'skipped'].map((verdict) => `${count(verdict)} ${verdict}`);
  return `${lines.join('\n')}\n${counts.join(', ')}\n`;
}

function suiteOf(url: string, results: readonly ReceiverCheckResult[]) {
  const cases = results.map(({ id, title, verdict, reason }) => ({
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
