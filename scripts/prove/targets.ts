import { type ChildProcess, fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { OBSTACLES } from '../../contract-tests/kit/distorting-proxy/obstacles.ts';
import { WRONG_RESPONSES } from '../../contract-tests/kit/distorting-proxy/wrong-responses.ts';
import { readFlags } from './flags.ts';
import type { Judged } from './target-judge.ts';

/**
 * `npm run prove -- targets [--only GLOBS] [--about PATTERN] [--workers N]`: runs the suite against a correct service
 * behind a proxy, several runs at a time. If the proxy breaks responses in one way, the run must exit with 1 and one
 * finding. If it only adds obstacles, the run must exit with 0 and report what it waited for.
 */
const flags = readFlags({ only: '', about: '', workers: 4 });
/** The targets to run. Obstacles take longest, so they come first. */
const wanted = new RegExp(flags.about);
const shapes = [...OBSTACLES, ...WRONG_RESPONSES].filter(({ about }) => wanted.test(about));
const waiting = shapes.map(({ about }) => about);
const bad: string[] = [];

await Promise.all(Array.from({ length: flags.workers }, judgeSome));
process.stdout.write(`${shapes.length} targets, ${bad.length} not as they should be.\n`);
process.exit(bad.length === 0 ? 0 : 1);

/** Judges targets one after the other in a child process, and starts another if it dies. */
async function judgeSome(): Promise<void> {
  let judge: ChildProcess | undefined;
  for (let about = waiting.shift(); about !== undefined; about = waiting.shift()) {
    judge ??= fork(fileURLToPath(new URL('target-judge.ts', import.meta.url)), [flags.only]);
    const judged = await askFor(judge, about);
    show(about, judged);
    if (judged === undefined) judge = undefined;
  }
  judge?.disconnect();
}

function askFor(judge: ChildProcess, about: string): Promise<Judged | undefined> {
  return new Promise((resolve) => {
    const settle = (judged: Judged | undefined): void => {
      judge.removeAllListeners();
      resolve(judged);
    };
    judge.once('message', (judged) => settle(judged as Judged));
    judge.once('exit', () => settle(undefined));
    judge.send(about);
  });
}

function show(about: string, judged: Judged | undefined): void {
  const { isGood, code, seconds, words } = judged ?? DEAD;
  if (!isGood) bad.push(about);
  const lines = [`${isGood ? '✓' : '✗'} ${code}  ${about}, ${seconds} s`, ...words];
  process.stdout.write(`${lines.join('\n       ')}\n`);
}

const DEAD: Judged = { isGood: false, code: 70, seconds: 0, words: ['The suite did not survive.'] };
