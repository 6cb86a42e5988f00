import type { TrafficJudge } from './judge.ts';
import type { LostRequest, Traffic } from './traffic.ts';

/**
 * The maximum number of exchanges that wait for validation. Further ones are forwarded without validation and counted.
 */
const MAX_WAITING = 1_000;

/** Validates exchanges one after the other, and prints a line for each finding. */
export function createProxyReport(isClosed: boolean, print: (line: object) => void) {
  const counts = { requests: 0, judged: 0, violations: 0, refuted: 0, unjudged: 0, unreachable: 0 };
  let judge: Promise<TrafficJudge> | undefined;
  const queue = createQueue(MAX_WAITING);

  function leaveOut(request: number, reason: string): void {
    counts.unjudged += 1;
    print({ kind: 'unjudged', ordinal: request, reason });
  }

  async function look(traffic: Traffic, ordinal: number): Promise<void> {
    judge ??= import('./judge.ts').then((judging) => judging.createTrafficJudge(isClosed));
    const { findings, unjudged } = await (await judge).judge(traffic);
    for (const { kind, ...finding } of findings) {
      counts[kind === 'violation' ? 'violations' : 'refuted'] += 1;
      print({ kind, ordinal, ...finding });
    }
    if (unjudged === undefined) counts.judged += 1;
    else leaveOut(ordinal, unjudged);
  }

  return {
    onTraffic(traffic: Traffic) {
      counts.requests += 1;
      const ordinal = counts.requests;
      const isTaken = queue.take(() =>
        look(traffic, ordinal).catch((error: Error) =>
          leaveOut(ordinal, `it could not be judged: ${error.name}`),
        ),
      );
      if (!isTaken) leaveOut(ordinal, 'too much passed at once');
    },
    onLost({ method, reason }: LostRequest) {
      counts.requests += 1;
      counts.unreachable += 1;
      print({ kind: 'unreachable', ordinal: counts.requests, method, reason });
    },
    end: () => queue.end().then(() => counts),
  };
}

/** Runs work one after the other. Accepts no more while `most` items wait. */
function createQueue(most: number) {
  let latest = Promise.resolve();
  let waiting = 0;
  return {
    take(work: () => Promise<void>): boolean {
      if (waiting >= most) return false;
      waiting += 1;
      latest = latest.then(work).finally(() => {
        waiting -= 1;
      });
      return true;
    },
    end: () => latest,
  };
}
