import { createPaint, endOf, type Paint, resourceLine } from '../kit/report/terminal.ts';
import { writeReports } from '../kit/report/write.ts';
import { sentenceOf } from '../kit/run/preflight.ts';
import { type Flags, readRunOptions, runFolder } from '../kit/run/read-options.ts';
import { type RunEvents, runContract } from '../kit/run/run.ts';

/** Runs the suite, prints its progress, and writes the reports. Returns the exit code from the record. */
export async function run(flags: Flags): Promise<number> {
  const options = readRunOptions(flags);
  const paint = createPaint(options.hasColor);
  const stop = stopControl();
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

/** Ends a run by a signal; a second signal ends the process. */
function stopControl() {
  const controller = new AbortController();
  const onSignal = (): void => {
    if (controller.signal.aborted) process.exit(130);
    process.stderr.write('Stopping after the current check, then cleaning up.\n');
    controller.abort();
  };
  process.on('SIGINT', onSignal);
  process.on('SIGTERM', onSignal);
  return {
    signal: controller.signal,
    release() {
      process.off('SIGINT', onSignal);
      process.off('SIGTERM', onSignal);
    },
  };
}
