import { parseClockTime } from '../../domain/instant.ts';
import type { Finding } from '../../domain/rules.ts';
import { findMisshapen } from '../../spec/row-shapes.ts';
import { recordsOf } from '../consistent-reads.ts';
import type { Row } from '../row.ts';
import { type RecordTables, TABLE_NAMES } from '../schema.ts';
import { type Origin, originOf, type Snapshot, setOrigin, snapshotsOf } from '../snapshots.ts';
import { runTimeSliced, runToCompletion, type TimeSliced } from '../time-sliced.ts';
import type { World, WorldHead, WorldImage } from '../world.ts';
import { keyOf, type MadeSandbox, parseKey } from '../worlds.ts';
import { DataError } from './data-error.ts';

/** An origin other than an image, which is stored beside its world. */
type PlainOrigin = Exclude<Origin, { kind: 'image' }>;

/** Which state of which world an image is. */
export type ImageLabel =
  /** The present state. `made` tells how its sandbox was made, if that was by request. */
  | {
      readonly kind: 'world';
      readonly key: string;
      readonly made?: MadeSandbox;
      readonly origin?: PlainOrigin;
      /** The machine's time at which it was written, by the machine that did. @units milliseconds since 1970 */
      readonly written?: number;
    }
  /** What a reset restores. */
  | { readonly kind: 'origin'; readonly key: string }
  | ({ readonly kind: 'snapshot'; readonly key: string } & Omit<Snapshot, 'image'>);

/** A state of a world, as it is stored. */
export type StoredImage = ImageLabel & WorldImage;

type Fields = Readonly<Record<string, unknown>>;

const isObject = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const isText = (value: unknown): value is string => typeof value === 'string';
const isCount = (value: unknown): boolean => Number.isSafeInteger(value) && Number(value) >= 0;
const isInstant = (value: unknown): boolean => isText(value) && parseClockTime(value) === value;

/** Whether an entry says what an image is, and has the state beside its rows. */
export function isLabel(value: unknown): value is ImageLabel & WorldHead {
  if (!isObject(value)) return false;
  const { kind, key, sequence, requests, clock } = value;
  const isWhose = isText(key) && parseKey(key) !== undefined;
  if (!isWhose || !isCount(sequence) || !isCount(requests) || !isClock(clock)) return false;
  if (kind === 'world') return isMade(value['made']) && isOrigin(value['origin']);
  if (kind === 'snapshot') return isText(value['name']) && isInstant(value['saved_at']);
  return kind === 'origin';
}

function isClock(clock: unknown): boolean {
  if (!isObject(clock)) return false;
  const { mode, at, offset_ms } = clock;
  if (mode === 'frozen') return isInstant(at);
  return mode === 'real' || (mode === 'offset' && Number.isFinite(offset_ms));
}

const isMade = (made: unknown): boolean =>
  made === undefined ||
  (isObject(made) && (made['lifetime_ms'] === undefined || isCount(made['lifetime_ms'])));

const isOrigin = (origin: unknown): boolean =>
  origin === undefined ||
  (isObject(origin) &&
    (origin['kind'] === 'empty' || (origin['kind'] === 'fixture' && isText(origin['name']))));

/** The state of a world with its snapshots and its origin, all of the same moment. The rows are shared. */
export function imagesOfWorld(world: World, made: MadeSandbox | undefined): StoredImage[] {
  const key = keyOf(world);
  const origin = originOf(world);
  const about = {
    ...(made && { made }),
    ...(origin.kind !== 'image' && origin.kind !== 'preset' && { origin }),
  };
  return [
    { kind: 'world', key, ...about, ...world.capture() },
    ...(origin.kind === 'image' ? [{ kind: 'origin', key, ...origin.image } as const] : []),
    ...[...snapshotsOf(world).values()].map((snapshot) => snapshotImage(key, snapshot)),
  ];
}

export const snapshotImage = (key: string, { image, ...about }: Snapshot): StoredImage => ({
  kind: 'snapshot',
  key,
  ...about,
  ...image,
});

/** The sandboxes that were made by request, among images. */
export function madeIn(images: readonly StoredImage[]): ReadonlyMap<string, MadeSandbox> {
  const made = new Map<string, MadeSandbox>();
  for (const image of images) {
    const { sandbox } = parseKey(image.key) ?? {};
    if (image.kind === 'world' && image.made && sandbox) made.set(sandbox, image.made);
  }
  return made;
}

/** Restores a world with its snapshots and its origin. */
export function bringBack(world: World, images: readonly StoredImage[]): void {
  for (const stored of images) {
    const image = stateIn(stored);
    if (stored.kind === 'world') {
      runToCompletion(world.restoring(image));
      if (stored.origin) setOrigin(world, stored.origin);
      if (stored.written !== undefined) world.clock.notBefore = stored.written;
    } else if (stored.kind === 'origin') setOrigin(world, { kind: 'image', image });
    else if (stored.kind === 'snapshot') {
      const { name, saved_at } = stored;
      snapshotsOf(world).set(name, { name, saved_at, image });
    }
  }
}

const stateIn = ({ sequence, requests, clock, tables }: StoredImage): WorldImage => ({
  sequence,
  requests,
  clock,
  tables,
});

/** Up to this many records of a world, its ledger is verified at every start. */
const FEW_ROWS = 10_000;

/** Finds broken references in records and, if asked, violations of the ledger. `platform` is the world's own account. */
export type FindDefects = (
  tables: RecordTables,
  platform: string,
  options: { readonly withLedger: boolean },
) => TimeSliced<readonly Finding[]>;

/**
 * Validates images as an import is validated: the form of every record, its references and, in small worlds, the
 * invariants of the ledger.
 *
 * @throws DataError naming the first finding
 */
export async function validateImages(
  file: string,
  images: readonly StoredImage[],
  findDefects: FindDefects,
): Promise<void> {
  for (const image of images) {
    const [found] = await runTimeSliced(findingsIn(image, findDefects));
    if (!found) continue;
    const about = image.kind === 'world' ? '' : `${image.kind}: `;
    throw new DataError(`${file}, ${image.key}, ${about}${found.field}: ${found.message}`);
  }
}

/** The findings about an image. Contents are only checked if the form of all records is right. */
function* findingsIn(image: WorldImage, findDefects: FindDefects): TimeSliced<readonly Finding[]> {
  const { tables, sequence } = image;
  const misshapen = yield* findMisshapen(tables, sequence);
  if (misshapen.length > 0) return misshapen;
  const rows = Object.values(tables).reduce((total, { length }) => total + length, 0);
  const records = recordsOf(image);
  return yield* findDefects(records, platformOf(records), { withLedger: rows <= FEW_ROWS });
}

/** The account with most records that is not a connected account. */
function platformOf(tables: RecordTables): string {
  const counts = new Map<string, number>();
  for (const name of TABLE_NAMES)
    for (const { owner } of tables[name].values() as Iterable<Row & { owner?: string }>)
      if (owner !== undefined && !tables.accounts.get(owner))
        counts.set(owner, (counts.get(owner) ?? 0) + 1);
  return [...counts].reduce((most, each) => (each[1] > most[1] ? each : most), ['', 0] as const)[0];
}
