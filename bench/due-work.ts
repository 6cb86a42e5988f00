import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

/** What ten years of due work of 1,000 subscriptions came to. */
export interface DueWork {
  readonly items: number;
  /** Of processor time. */
  readonly seconds: number;
  /** The second half against the first: near 1 where work costs the same however much lies behind. */
  readonly slowdown: number;
  readonly megabytesBefore: number;
  readonly megabytesAfter: number;
  readonly bytesPerItem: number;
}

/** Measures it in a process of its own, whose memory is that of the work alone. */
export async function measureDueWork(): Promise<DueWork> {
  const file = fileURLToPath(new URL('due-work-run.ts', import.meta.url));
  const child = fork(file, { execArgv: ['--expose-gc', '--import', 'tsx'] });
  const [[measured]] = await Promise.all([once(child, 'message'), once(child, 'exit')]);
  return measured as DueWork;
}

/** The line of the report. */
export function describeDueWork(work: DueWork): string {
  const { items, seconds, slowdown, megabytesBefore, megabytesAfter, bytesPerItem } = work;
  const rate = Math.round(items / seconds).toLocaleString('en-US');
  return (
    `Ten years over 1,000 subscriptions with monthly renewals and refreshes: ` +
    `${items.toLocaleString('en-US')} due items in ${seconds.toFixed(1)} s of processor time, ${rate} per second; ` +
    `the second half took ${slowdown.toFixed(2)} times the first. ` +
    `Memory ${megabytesBefore.toFixed(0)} MB before, ${megabytesAfter.toFixed(0)} MB after: ` +
    `${bytesPerItem.toFixed(0)} bytes for each item, which is what it records.`
  );
}
