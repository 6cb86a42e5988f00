import { runBeside } from './process.ts';
import { count, publish } from './publish.ts';

/** What ten years of due work of 1,000 subscriptions came to. */
interface DueWork {
  readonly items: number;
  /** Of processor time. */
  readonly seconds: number;
  /** The second half against the first: near 1 where work costs the same however much lies behind. */
  readonly slowdown: number;
  readonly megabytesBefore: number;
  readonly megabytesAfter: number;
  readonly bytesPerItem: number;
}

/** `npm run bench -- due-work`: in a process of its own, whose memory is that of the work alone. */
const { told: work } = await runBeside<DueWork>('due-work-run.ts', [], ['--expose-gc']);
const { items, seconds, slowdown, megabytesBefore, megabytesAfter, bytesPerItem } = work;
publish(
  'due-work',
  [
    `Ten years over 1,000 subscriptions with monthly renewals and refreshes: ` +
      `${count(items)} due items in ${seconds.toFixed(1)} s of CPU time, ${count(items / seconds)} per second; ` +
      `the second half took ${slowdown.toFixed(2)} times the first. ` +
      `Memory ${count(megabytesBefore)} MB before, ${count(megabytesAfter)} MB after: ` +
      `${count(bytesPerItem)} bytes for each item, which is what it records.`,
  ],
  work,
);
