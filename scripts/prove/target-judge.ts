import { OBSTACLES } from '../../contract-tests/kit/distorting-proxy/obstacles.ts';
import { startDistortingProxy } from '../../contract-tests/kit/distorting-proxy/proxy.ts';
import { runInProcess } from '../../contract-tests/kit/distorting-proxy/run-in-process.ts';
import { WRONG_RESPONSES } from '../../contract-tests/kit/distorting-proxy/wrong-responses.ts';
import { gatherCases } from '../../contract-tests/kit/selftest/cases.ts';
import { startTarget } from '../../contract-tests/kit/target/own-emulator.ts';

/** The result of the suite on a modified target. */
export interface Judged {
  readonly isGood: boolean;
  /** Exit code of the run. */
  readonly code: number;
  readonly seconds: number;
  /** The waits in the report and, for a wrong result, its reasons and findings. */
  readonly words: readonly string[];
}

/** Default checks: broken responses affect only assets, obstacles affect every resource. */
const USUAL = { wrong: ['AST-*'], obstacle: ['AST-*', 'VND-*', 'ACC-*', 'CUS-*'] };

/** This process receives names of targets, and runs the suite on each with a new emulator. */
const [, , only = ''] = process.argv;
const checks = await gatherCases();
let count = 0;

process.on('message', async (about: string) => {
  const started = Date.now();
  const judged = await judge(about).catch((error: Error) => ({
    ...{ isGood: false, code: 70, words: [error.stack ?? error.message] },
  }));
  process.send?.({ ...judged, seconds: Math.round((Date.now() - started) / 1000) });
});
process.on('disconnect', () => process.exit(0));

async function judge(about: string): Promise<Omit<Judged, 'seconds'>> {
  const shape = [...WRONG_RESPONSES, ...OBSTACLES].find((one) => one.about === about);
  if (shape === undefined) throw new Error(`No target is called ${about}`);
  const wrong = 'on' in shape ? shape : undefined;
  const obstacle = 'on' in shape ? undefined : shape;
  const emulator = await startTarget();
  const proxy = await startDistortingProxy(emulator.baseUrl);
  proxy.become(shape);
  const { exit, causes, waits } = await runInProcess(proxy.baseUrl, checks, {
    ...{ runId: `run${process.pid}n${++count}`, consumables: 1_000 },
    only: only === '' ? USUAL[wrong ? 'wrong' : 'obstacle'] : only.split(','),
    // Endless responses time out soon. All others get time, even on a busy machine.
    timeout: wrong?.isEndless ? 2_000 : 60_000,
    consistency: obstacle?.consistencyMs,
  });
  const { touched } = proxy;
  await proxy.close();
  await emulator.close();
  const { code } = exit;
  const isGood = wrong
    ? code === 1 && causes.length === 1 && touched > 0
    : code === 0 && waits.join().includes(obstacle?.waited ?? '');
  const found = causes.map(({ operations, difference }) => `${operations.join()}: ${difference}`);
  const reasons = exit.reasons.map(({ text }) => text);
  return { isGood, code, words: isGood ? waits : [...reasons, ...found, ...waits] };
}
