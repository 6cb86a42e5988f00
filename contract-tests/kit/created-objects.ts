import { appendFileSync, existsSync, mkdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { OperationId } from './operations.ts';
import type { RunPlan } from './plan.ts';
import { type Asking, askTarget } from './target/patience.ts';

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

interface Removal {
  readonly made: OperationId;
  readonly by: Remover;
  readonly list: OperationId;
  readonly look: OperationId;
  /** The query parameter that finds the object in a paginated list. */
  readonly filter?: string;
}

/** The kinds that can be deleted, in order of deletion. */
const REMOVALS: readonly Removal[] = [
  { made: 'createWebhook', by: 'deleteWebhook', list: 'listWebhooks', look: 'getWebhook' },
  {
    made: 'createProduct',
    by: 'deleteProduct',
    list: 'listProducts',
    look: 'getProduct',
    filter: 'code',
  },
];

const pathTo = ({ by }: Removal, id: string) => ({ path: { [REMOVERS[by]]: id } });

/**
 * Deletes the objects in a list that still exist and can be deleted. Returns those that remain, with the reason.
 */
export async function cleanUp(plan: Asking, created: CreatedObjects): Promise<readonly string[]> {
  const leftovers: string[] = [];
  for (const removal of REMOVALS)
    for (const entry of created.entries().filter((one) => isLeft(one, removal.made)))
      leftovers.push(...(await removeOne(plan, created, removal, entry)));
  return leftovers;
}

function isLeft({ operation, status, removed }: CreatedObject, made: string): boolean {
  const mayExist = status === undefined || status < 300;
  return operation === made && mayExist && !removed;
}

async function removeOne(
  plan: Asking,
  created: CreatedObjects,
  removal: Removal,
  entry: CreatedObject,
): Promise<readonly string[]> {
  try {
    const id = entry.id ?? (await findByMarker(plan, removal, entry.marker));
    if (id === undefined) return [];
    const { status } = await askTarget(plan, removal.by, pathTo(removal, id));
    if (status !== 204 && status !== 404 && !(await isGone(plan, removal, id)))
      return [`${entry.operation} ${id}: ${removal.by} ${status}`];
    if (entry.id !== undefined) created.remove(entry.id);
    else created.settle(entry.number, 410, undefined);
    return [];
  } catch (error) {
    return [`${entry.operation} ${entry.id ?? entry.marker}: ${(error as Error).message}`];
  }
}

/** Whether an object that could not be deleted no longer exists. The status of the delete request does not tell. */
const isGone = async (plan: Asking, removal: Removal, id: string): Promise<boolean> =>
  (await askTarget(plan, removal.look, pathTo(removal, id))).status === 404;

/** Finds an object whose create response never arrived. */
async function findByMarker(
  plan: Asking,
  { list, filter }: Removal,
  marker: string,
): Promise<string | undefined> {
  const [field = '', ...rest] = marker.split('=');
  const value = rest.join('=');
  const { body } = await askTarget(plan, list, { ...(filter && { query: { [filter]: value } }) });
  const items = (body?.items ?? []) as Record<string, unknown>[];
  return items.find((item) => item[field] === value)?.['id'] as string | undefined;
}

/** What a run has removed, and what stays on its target, from its list. */
export function effectsOf(entries: readonly CreatedObject[]) {
  const done = entries.filter(({ status }) => status === undefined || status < 300);
  const removable = new Set<string>(REMOVALS.map(({ made }) => made));
  /** The number of objects that cannot be deleted, by operation. */
  const permanent: Record<string, number> = {};
  for (const { operation } of done)
    if (!removable.has(operation) && !PASSING.has(operation))
      permanent[operation] = (permanent[operation] ?? 0) + 1;
  return { removed: done.filter(({ removed }) => removed).length, permanent };
}

/** Operations that compute without storing. */
const PASSING = new Set(['quoteAsset', 'simulateUsage']);
