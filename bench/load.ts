import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import autocannon from 'autocannon';
import type { Scenario } from './scenarios.ts';

const ROOT = new URL('..', import.meta.url);

/** A server in a process of its own. */
export interface Target {
  /** Loads it; answers its processor time per request in microseconds. */
  load(scenario: Scenario, seconds: number): Promise<number>;
  close(): Promise<void>;
}

interface Ready {
  readonly url: string;
  /** Values that requests need, such as the id of a customer. */
  readonly values: Readonly<Record<string, string>>;
}

export async function openTarget(file: string): Promise<Target> {
  const child = fork(fileURLToPath(new URL(file, ROOT)), { execArgv: ['--import', 'tsx'] });
  const [ready] = (await once(child, 'message')) as [Ready];

  async function processorMicros(): Promise<number> {
    child.send('usage');
    const [usage] = (await once(child, 'message')) as [number];
    return usage;
  }

  return {
    async load(scenario, seconds) {
      const { method, path, body } = scenario;
      const before = await processorMicros();
      const result = await autocannon({
        url: `${ready.url}${path(ready.values)}`,
        connections: 8,
        duration: seconds,
        method,
        headers: { authorization: 'Bearer key_test_bench', 'content-type': 'application/json' },
        ...(body && {
          requests: [{ setupRequest: (request) => ({ ...request, body: JSON.stringify(body()) }) }],
        }),
      });
      const used = (await processorMicros()) - before;
      if (result.non2xx > 0)
        throw new Error(`${scenario.name}: ${result.non2xx} answers were refusals`);
      return used / result.requests.total;
    },
    async close() {
      child.kill();
      await once(child, 'exit');
    },
  };
}

/** For the servers: tells the parent where they listen, and how much processor time they used. */
export function report(url: string, values: Readonly<Record<string, string>>): void {
  process.on('message', () => {
    const { user, system } = process.cpuUsage();
    process.send?.(user + system);
  });
  process.send?.({ url, values });
}
