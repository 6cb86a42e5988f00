import { deriveToken } from './ids.ts';
import type { PaymentSession } from './records.ts';
import type { Resumable } from './resumable.ts';
import type { Row } from './table.ts';
import type { Environment, World, WorldImage } from './world.ts';

/** Which world an image is of. */
export interface Provenance {
  readonly sandbox: string;
  readonly environment: Environment;
  readonly accountId: string;
}

/**
 * The image of one world made fit for another: what belonged to the one's platform account belongs to the
 * other's, and links of hosted pages get tokens of their own, as a token must lead to one world alone. All
 * other identifiers stay.
 *
 * @assumes A-1406
 */
export function* adopt(image: WorldImage, from: Provenance, world: World): Resumable<WorldImage> {
  const { sandbox, environment, accountId } = world;
  const isOwn = from.sandbox === sandbox && from.environment === environment;
  // Under another seed the same sandbox has another account.
  if (isOwn && from.accountId === accountId) return image;
  const tokens = new Map(
    tokensOf(image).map((token) => [
      token,
      deriveToken([world.seed, sandbox, environment, 'adopted', token]),
    ]),
  );
  const adoptRow = (row: Row): Row => {
    const text = JSON.stringify(row)
      .replaceAll(from.accountId, accountId)
      .replaceAll(TOKEN, (found, token: string) =>
        tokens.has(token) ? `"${tokens.get(token)}"` : found,
      );
    return JSON.parse(text) as Row;
  };
  const tables: [string, Row[]][] = [];
  for (const [name, rows] of Object.entries(image.tables)) {
    const adopted: Row[] = [];
    for (const row of rows) {
      adopted.push(adoptRow(row));
      yield;
    }
    tables.push([name, adopted]);
  }
  return { ...image, tables: Object.fromEntries(tables) };
}

/** Text of the length of a token. */
const TOKEN = /"([\w-]{43})"/g;

interface MayHoldToken extends Row {
  readonly token?: string;
  readonly payment?: PaymentSession;
}

/** The tokens of its hosted links, wherever they stand. */
function tokensOf({ tables }: WorldImage): readonly string[] {
  const holders = ['subscriptions', 'top_ups', 'portal_sessions'].flatMap(
    (name) => (tables[name] ?? []) as readonly MayHoldToken[],
  );
  const keyed = ['payment_links', 'portal_visits'].flatMap((name) => tables[name] ?? []);
  return [
    ...holders.map(({ token, payment }) => token ?? payment?.token).filter((each) => each != null),
    ...keyed.map(({ id }) => id),
  ];
}
