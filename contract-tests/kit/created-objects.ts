import { appendFileSync, existsSync, mkdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { RunPlan } from './plan.ts';

/**
 * An object that a run created on its target and that can still exist there. The entry is written to disk before the
 * request is sent, so that objects of a killed run can still be cleaned up.
 */
export interface CreatedObject {
  readonly number: number;
  readonly operation: string;
  /** Text that identifies the object when the response with its id never arrived. */
  readonly marker: string;
  readonly id: string | undefined;
  readonly status: number | undefined;
  readonly removed: boolean;
}

/** Operations that delete an object, with the path parameter that identifies it. */
export const REMOVERS = { deleteWebhook: 'webhookId', deleteProduct: 'productId' } as const;

export type Remover = keyof typeof REMOVERS;

export type CreatedObjects = ReturnType<typeof openCreatedObjects>;

/** A list in its file: its target, then each object again whenever more is known of it. */
type Line = { readonly target: string } | CreatedObject;

/**
 * Opens the list of created objects, in memory only when `file` is undefined. A new list records the `target` that its
 * ids belong to.
 */
export function openCreatedObjects(file: string | undefined, target = '') {
  const lines = file !== undefined && existsSync(file) ? readLines(file) : [];
  const entries = new Map<number, CreatedObject>();
  for (const line of lines) if ('number' in line) entries.set(line.number, line);
  const write = (line: Line): void => {
    if ('number' in line) entries.set(line.number, line);
    if (file === undefined) return;
    mkdirSync(dirname(file), { recursive: true });
    appendFileSync(file, `${JSON.stringify(line)}\n`, { mode: 0o600 });
  };
  if (target !== '' && lines.length === 0) write({ target });
  return {
    /** Records a request that is about to be sent. Returns its number. */
    announce(operation: string, marker: string): number {
      const number = entries.size + 1;
      const unknown = { id: undefined, status: undefined, removed: false };
      write({ number, operation, marker, ...unknown });
      return number;
    },
    /** Records the response status, and the id of the created object. */
    settle(number: number, status: number, id: string | undefined): void {
      const entry = entries.get(number);
      if (entry) write({ ...entry, status, id });
    },
    /** Records that the object with this id is deleted. */
    remove(id: string): void {
      for (const entry of entries.values()) if (entry.id === id) write({ ...entry, removed: true });
    },
    entries: (): readonly CreatedObject[] => [...entries.values()],
    /** The address and account that the ids belong to. */
    target: lines.flatMap((line) => ('target' in line ? [line.target] : []))[0] ?? target,
  };
}

/** The file with the list of a run in another's service, in the folder of the run. */
export const createdFileIn = (folder: string): string => join(folder, 'created.jsonl');

function readLines(file: string): readonly Line[] {
  return readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => line.startsWith('{') && line.endsWith('}'))
    .map((line) => JSON.parse(line) as Line);
}

/** The text by which a list identifies its target: address and account. */
export function createdObjectsTarget({
  baseUrl,
  accountId,
}: Pick<RunPlan['target'], 'baseUrl' | 'accountId'>): string {
  return `${new URL(baseUrl).origin} ${accountId ?? 'unknown'}`;
}
