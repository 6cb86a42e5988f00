import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { runBeside } from '../process.ts';
import { count, spread } from '../publish.ts';

const EVENTS = 100_000;
const READS = 3;

/** What one process tells about a world that it has filled or read. */
export interface StoreFigures {
  readonly bytesPerEvent: number;
  readonly ms: number;
}

interface StoreSize {
  readonly kind: string;
  readonly filled: StoreFigures;
  readonly reads: readonly StoreFigures[];
}

/**
 * Measures a world of 100,000 events with three fees each in every kind of storage: the memory of an event as it was made
 * and as it was read again, and how long reading the world takes, from opening the storage to the first response.
 */
export async function measureSizes(postgres: string | undefined): Promise<readonly StoreSize[]> {
  const folder = mkdtempSync(`${tmpdir()}/sizes-`);
  const kinds = {
    memory: '',
    file: `${folder}/data.json`,
    ...(postgres && { PostgreSQL: postgres }),
  };
  const sizes: StoreSize[] = [];
  for (const [kind, data] of Object.entries(kinds)) {
    const run = async (task: string) =>
      (await runBeside<StoreFigures>('stores/run.ts', [data, task, String(EVENTS)])).told;
    const filled = await run('fill');
    const reads: StoreFigures[] = [];
    while (kind !== 'memory' && reads.length < READS) reads.push(await run('read'));
    sizes.push({ kind, filled, reads });
  }
  rmSync(folder, { recursive: true });
  return sizes;
}

export function sizesTable(sizes: readonly StoreSize[]): readonly string[] {
  const inMemory = sizes[0]?.filled.bytesPerEvent as number;
  const bytes = ({ bytesPerEvent }: StoreFigures) =>
    `${count(bytesPerEvent)} bytes: **${(bytesPerEvent / inMemory).toFixed(2)}**`;
  return [
    `| with ${count(EVENTS)} events of three fees | memory of an event, as made | as read | reading the world |`,
    '|---|---|---|---|',
    ...sizes.map(({ kind, filled, reads: [first, ...others] }) => {
      if (!first) return `| ${kind} | ${bytes(filled)} | | |`;
      const { median, least, most } = spread([first, ...others].map(({ ms }) => ms / 1_000));
      const [middle, low, high] = [median, least, most].map((value) => value.toFixed(1));
      return `| ${kind} | ${bytes(filled)} | ${bytes(first)} | ${middle} s (${low}–${high}) |`;
    }),
  ];
}
