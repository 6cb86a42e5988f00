import {
  type CreatedObject,
  type CreatedObjects,
  REMOVERS,
  type Remover,
} from '../created-objects.ts';
import type { OperationId } from '../operations.ts';
import { type Asking, askTarget } from '../target/patience.ts';

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
