import { countRecords, presentWorld } from '../../../control/worlds/present-world.ts';
import { snapshotsOf } from '../../../state/snapshots.ts';
import type { PageAnswer } from '../../answer.ts';
import { Button } from '../../forms.tsx';
import { Facts } from '../../parts.tsx';
import { InspectorPage } from '../frame.tsx';
import type { InspectorRequest } from '../inspector-request.ts';
import type { InspectorSection } from '../sections.tsx';

type Counts = Readonly<Record<string, number>>;

/** What an action takes away. */
export interface Loss {
  /** What is done, as a button says it. */
  readonly verb: string;
  readonly section: InspectorSection;
  /** Nothing goes where it is empty. */
  readonly goes: Counts;
  readonly after: string;
}

const UNDONE = 'You can undo this from Snapshots.';

type LossOf = (request: InspectorRequest, field: (name: string) => string) => Loss;

/** Makes what an action takes away that replaces everything in the world. */
const replacing =
  (verbOf: (request: InspectorRequest) => string, after = UNDONE): LossOf =>
  (request) => ({
    verb: verbOf(request),
    section: '/snapshots',
    goes: presentWorld(request.world).records,
    after,
  });

const snapshotName = ({ parameters }: InspectorRequest): string => parameters['name'] ?? '';

export const resetting = replacing(() => 'Reset this world');
export const restoring = replacing((request) => `Restore ${snapshotName(request)}`);
export const undoing = replacing(() => 'Undo', 'The current state of the world will be lost.');

export const deleting: LossOf = (request) => {
  const name = snapshotName(request);
  const image = snapshotsOf(request.world).get(name)?.image;
  const goes = image ? countRecords(image) : {};
  return {
    verb: `Delete ${name}`,
    section: '/snapshots',
    goes,
    after: 'The world itself does not change. You can undo this on the next page.',
  };
};

/** Makes what an action takes away that replaces or closes both worlds of a sandbox. */
const ofSandbox =
  (nameField: string, verb: string, after: string): LossOf =>
  ({ control }, field) => {
    const name = field(nameField);
    const goes: Record<string, number> = {};
    for (const world of control.worlds.values())
      if (world.sandbox === name)
        for (const [table, count] of Object.entries(presentWorld(world).records))
          goes[table] = (goes[table] ?? 0) + count;
    return { verb: `${verb} ${name}`, section: '/worlds', goes, after };
  };

export const closing = ofSandbox(
  'name',
  'Close',
  'You can undo this on the next page, except for its snapshots.',
);
export const reopening = ofSandbox(
  'sandbox',
  'Bring back',
  'The current state of the sandbox will be lost.',
);

/** Shows what an action takes away, and asks whether it shall. */
export function showLoss(request: InspectorRequest, loss: Loss): PageAnswer {
  const { verb, section, goes, after } = loss;
  const fields = Object.entries((request.body ?? {}) as Readonly<Record<string, unknown>>);
  return (
    <InspectorPage request={request} section={section} title={`${verb}?`}>
      <p>This will be removed:</p>
      <Facts facts={Object.fromEntries(wordedCounts(goes))} areFigures />
      <p>{after}</p>
      <form method="post" class="buttons">
        {fields.map(
          ([name, value]) =>
            typeof value === 'string' && (
              <input key={name} type="hidden" name={name} value={value} />
            ),
        )}
        <Button class="danger" name="confirmed" value="yes">
          {verb}
        </Button>
        <a class="button secondary" href={request.link(section)}>
          Cancel
        </a>
      </form>
    </InspectorPage>
  );
}

/** What people count first, by table. */
const WORDS: Readonly<Record<string, string>> = {
  customers: 'Customers',
  products: 'Products',
  subscriptions: 'Subscriptions',
  events: 'Usage events',
  transactions: 'Ledger entries',
  grants: 'Grants',
  top_ups: 'Top-ups',
  webhook_events: 'Webhook events',
};

/** Counts in words of the domain, whatever has no word of its own together. */
function wordedCounts(counts: Counts): (readonly [words: string, count: string])[] {
  let others = 0;
  for (const [table, count] of Object.entries(counts))
    if (!Object.hasOwn(WORDS, table)) others += count;
  const worded = Object.entries(WORDS).map(
    ([table, words]) => [words, counts[table] ?? 0] as const,
  );
  return [...worded, ['Other records', others] as const]
    .filter(([, count]) => count > 0)
    .map(([words, count]) => [words, count.toLocaleString('en')]);
}

/** The same in a line. */
export function recordsText(counts: Counts): string {
  const texts = wordedCounts(counts).map(([words, count]) => `${count} ${words.toLowerCase()}`);
  return texts.join(', ') || 'nothing';
}
