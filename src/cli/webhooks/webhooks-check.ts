import { type Command, InvalidArgumentError } from 'commander';
import { readSettings, SETTINGS, SettingsError } from '../../config/settings.ts';
import { toUnixSeconds } from '../../domain/instant.ts';
import { validateWebhookUrl } from '../../domain/webhook-url.ts';
import { type JunitResult, type JunitSuite, junitXml } from '../../text/junit.ts';
import {
  RECEIVER_CHECK_IDS,
  type ReceiverCheckId,
} from '../../webhooks/receiver/receiver-checks.ts';
import type {
  ReceiverCheckResult,
  ReceiverReport,
} from '../../webhooks/receiver/receiver-report.ts';
import type { SuiteContext } from '../../webhooks/receiver/receiver-suite.ts';
import { runReceiverSuite } from '../../webhooks/receiver/run-receiver-suite.ts';
import { EXIT } from '../exit-codes.ts';
import { flag } from '../flags.ts';
import { print, writeReport } from '../print.ts';
import { commaList, dateTime, jsonObject, wholeNumber } from '../readers.ts';

interface Flags extends Partial<Pick<SuiteContext, 'data' | 'now' | 'distance' | 'largeBody'>> {
  readonly secret: string;
  readonly serviceName: string;
  readonly effects?: string;
  readonly timeout?: number;
  readonly skip?: readonly ReceiverCheckId[];
  readonly json?: boolean;
  readonly junit?: string;
}

/** `billing-emulator webhooks check`: runs the receiver suite. It needs no running emulator. */
export function addWebhooksCheck(webhooks: Command): void {
  webhooks
    .command('check')
    .description('Check a webhook receiver; exits with 0 if every check passes, with 1 if not')
    .argument('<url>', 'URL of the receiver', receiverUrl)
    .addOption(
      flag('--secret <secret>', 'Secret of the receiver', {
        env: 'WEBHOOK_SECRET',
      }).makeOptionMandatory(),
    )
    .addOption(
      flag('--service-name <name>', 'Name from which the signature header is made', {
        env: 'BILLING_EMULATOR_SERVICE_NAME',
        preset: SETTINGS.service_name.preset,
        read: serviceName,
      }),
    )
    .option('--effects <url>', 'URL that shows what effect deliveries had', receiverUrl)
    .option('--data <json>', "Fields of the events' data, a JSON object", jsonObject)
    .option('--now <date-time>', 'Current time of the receiver', (text) =>
      toUnixSeconds(dateTime(text)),
    )
    .option(
      '--distance <seconds>',
      'How far from now stale and future timestamps are (3600)',
      wholeNumber(1),
    )
    .option('--large-body <bytes>', 'Size of the large body (262144)', wholeNumber(1))
    .option('--timeout <seconds>', 'Response timeout (15)', wholeNumber(1))
    .option('--skip <checks>', 'Checks to skip, comma-separated', checkIds)
    .option('--json', 'Print the report as JSON')
    .option('--junit <file>', 'Write a JUnit report')
    .action(check);
}

async function check(url: string, flags: Flags): Promise<void> {
  const report = await runReceiverSuite({
    url,
    ...flags,
    timeout: flags.timeout === undefined ? undefined : flags.timeout * 1000,
    effectsUrl: flags.effects,
  });
  print(flags.json ? JSON.stringify(report, null, 2) : textOf(report));
  if (flags.junit !== undefined) writeReport(flags.junit, junitXml([suiteOf(report)]));
  process.exitCode = report.passed ? 0 : EXIT.failure;
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

function suiteOf({ url, items }: ReceiverReport): JunitSuite {
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

/** @assumes A-1201 */
function receiverUrl(text: string): string {
  if (!URL.canParse(text)) throw new InvalidArgumentError('Expected an absolute URL.');
  const [found] = validateWebhookUrl(text, 'url');
  if (found) throw new InvalidArgumentError(found.message);
  return text;
}

function serviceName(text: string): string {
  try {
    return readSettings({ service_name: text }).service_name;
  } catch (error) {
    if (error instanceof SettingsError) throw new InvalidArgumentError(error.message);
    throw error;
  }
}

function checkIds(text: string): readonly ReceiverCheckId[] {
  const ids = commaList(text);
  const unknown = ids.find((id) => !RECEIVER_CHECK_IDS.includes(id as ReceiverCheckId));
  if (unknown === undefined) return ids as ReceiverCheckId[];
  throw new InvalidArgumentError(
    `There is no ${unknown}. Known: ${RECEIVER_CHECK_IDS.join(', ')}.`,
  );
}
