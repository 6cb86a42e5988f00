import { deriveToken } from './ids.ts';
import type { Row } from './row.ts';
import type { TimeSliced } from './time-sliced.ts';
import type { World, WorldImage } from './world.ts';

/** Which world an image is of. */
type Provenance = Pick<World, 'sandbox' | 'environment' | 'accountId'>;

/**
 * Adapts the image of one world to another: the platform account is replaced by the other world's, and links of hosted
 * pages get new tokens, as a token must lead to one world only. All other ids stay. Rows without changes are shared. An
 * image that says to be of the same world keeps its tokens, but for those that another world has.
 *
 * @assumes A-1406
 */
export function* rebaseImage(
  image: WorldImage,
  from: Provenance,
  world: World,
  others: Iterable<World>,
): TimeSliced<WorldImage> {
  const { sandbox, environment, accountId } = world;
  const isOfWorld = from.sandbox === sandbox && from.environment === environment;
  // Under another seed the same sandbox has another account.
  const isOwn = isOfWorld && from.accountId === accountId;
  const taken = isOwn ? yield* takenTokens(image, world, others) : tokensOf(image);
  if (isOwn && taken.length === 0) return image;
  const tokens = new Map(
    taken.map((token) => [
      token,
      deriveToken(world.secret, [sandbox, environment, 'adopted', token]),
    ]),
  );
  const rebaseText = (text: string): string =>
    text === from.accountId
      ? accountId
      : (tokens.get(text) ?? text.replaceAll(from.accountId, accountId));
  const tables: [string, Row[]][] = [];
  for (const [name, rows] of Object.entries(image.tables)) {
    const rebased: Row[] = [];
    for (const row of rows) {
      rebased.push(mapTexts(row, rebaseText));
      yield;
    }
    tables.push([name, rebased]);
  }
  return { ...image, tables: Object.fromEntries(tables) };
}

/** Maps all texts in a value; a value, or a part of it, in which none changes is returned as it is. */
function mapTexts<T>(value: T, map: (text: string) => string): T {
  if (typeof value === 'string') return map(value) as T;
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) {
    const mapped = value.map((each) => mapTexts(each, map));
    return (mapped.some((each, place) => each !== value[place]) ? mapped : value) as T;
  }
  const changed: [string, unknown][] = [];
  for (const name in value) {
    const inner = (value as Record<string, unknown>)[name];
    const mapped = mapTexts(inner, map);
    if (mapped !== inner) changed.push([name, mapped]);
  }
  return changed.length === 0 ? value : { ...value, ...Object.fromEntries(changed) };
}

function* takenTokens(
  image: WorldImage,
  world: World,
  others: Iterable<World>,
): TimeSliced<readonly string[]> {
  const taken: string[] = [];
  const worlds = [...others].filter((other) => other !== world);
  for (const token of tokensOf(image)) {
    if (worlds.some(({ tables }) => tables.links.get(token))) taken.push(token);
    yield;
  }
  return taken;
}

/** The tokens of links to hosted pages. */
const tokensOf = ({ tables }: WorldImage): readonly string[] =>
  (tables['links'] ?? []).map(({ id }) => id);
