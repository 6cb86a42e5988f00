import { createInterface } from 'node:readline/promises';
import { createPaint, endOf, type Paint, resourceLine } from '../kit/report/terminal.ts';
import { writeReports } from '../kit/report/write.ts';
import { openTarget } from '../kit/run/plan-run.ts';
import { preflight, sentenceOf } from '../kit/run/preflight.ts';
import { type Flags, type RunOptions, readRunOptions, runFolder } from '../kit/run/read-options.ts';
import { type RunEvents, runContract } from '../kit/run/run.ts';

/** Runs the suite, prints its progress, and writes the reports. Returns the exit code from the record. */
export async function run(flags: Flags): Promise<number> {
  const options = await withConsent(readRunOptions(flags));
  const paint = createPaint(options.hasColor);
  const stop = stopControl(options.deadlineMs);
  try {
    const record = await runContract(options, eventsOf(paint), stop.signal);
    process.stdout.write(endOf(record, paint));
    process.stdout.write(paint.faint(`Record  ${runFolder(options)}/run.json\n`));
    writeReports(record, options.reports);
    return record.exit.code;
  } finally {
    stop.release();
  }
}

/** Asks for consent to writes on a live account, when a user is at the terminal. */
async function withConsent(options: RunOptions): Promise<RunOptions> {
  const { effects, confirmAccount, baseUrl, isUnattended, acceptsLiveWritesOf } = options;
  const isAskable = baseUrl !== undefined && !isUnattended && confirmAccount !== undefined;
  if (!isAskable || acceptsLiveWritesOf !== undefined) return options;
  if (effects !== 'E3' && effects !== 'E4') return options;
  const { target } = await openTarget(options);
  const found = await preflight({ target, timeoutMs: 10_000 });
  if (found.environment === 'test' || found.accountId !== confirmAccount) return options;
  const isYes = await askForConsent(
    `${effects} leaves permanent objects on live ${confirmAccount}.`,
  );
  return isYes ? { ...options, acceptsLiveWritesOf: confirmAccount } : options;
}

function eventsOf(paint: Paint): RunEvents {
  return {
    planned({ target, ceiling, runId }, found) {
      const what = target.kind === 'ours' ? 'a fresh emulator' : target.baseUrl;
      const lines = [
        `Checking ${what}, run ${runId}, ${found.environment} environment, up to ${ceiling}`,
        ...(found.verdict === 'answered' ? [] : [sentenceOf(found.verdict)]),
      ];
      process.stdout.write(`${lines.join('\n')}\n\n`);
    },
    deliveriesLost: (receiver) =>
      void process.stdout.write(
        `The target's webhooks do not arrive at ${receiver}, so checks of deliveries do not run. Give --webhook-url with\n` +
          'an address of this machine that the target reaches, and --webhook-listen with its port.\n\n',
      ),
    resourceEnded: (records) => {
      if (records.some(({ outcome }) => outcome !== 'not_selected'))
        process.stdout.write(resourceLine(records, paint));
    },
  };
}

/** Ends a run at its deadline or by a signal; a second signal ends the process. */
function stopControl(deadlineMs: number | undefined) {
  const controller = new AbortController();
  const timer =
    deadlineMs === undefined
      ? undefined
      : setTimeout(() => controller.abort('deadline'), deadlineMs).unref();
  const onSignal = (): void => {
    if (controller.signal.aborted) process.exit(130);
    process.stderr.write('Stopping after the current check, then cleaning up.\n');
    controller.abort('signal');
  };
  process.on('SIGINT', onSignal);
  process.on('SIGTERM', onSignal);
  return {
    signal: controller.signal,
    release() {
      clearTimeout(timer);
      process.off('SIGINT', onSignal);
      process.off('SIGTERM', onSignal);
    },
  };
}

/** Asks at the terminal for consent to write to a live account. */
async function askForConsent(question: string): Promise<boolean> {
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  const answer = await terminal.question(`${question} Type yes: `);
  terminal.close();
  return answer.trim().toLowerCase() === 'yes';
}
