import { countRecords, presentWorld } from '../../../control/worlds/present-world.ts';
import { snapshotsOf } from '../../../store/snapshots.ts';
import type { PageAnswer } from '../../answer.ts';
import { Button } from '../../forms.tsx';
import { Facts } from '../../parts.tsx';
import { InspectorPage } from '../frame.tsx';
import type { InspectorRequest } from '../inspector-request.ts';
import type { InspectorSection } from '../sections.tsx';

type Counts = Readonly<Record<string, number>>;

/** The records that an action removes, for its confirmation. */
export interface Loss {
  /** The action, as the label of a button. */
  readonly verb: string;
  readonly section: InspectorSection;
  /** The number of records by table; empty if the action removes nothing. */
  readonly goes: Counts;
  readonly after: string;
}

/** The loss of an action that replaces everything in the world. */
export const lossOfWorld = (
  { world }: InspectorRequest,
  verb: string,
  after = 'You can undo this from Snapshots.',
): Loss => ({ verb, section: '/snapshots', goes: presentWorld(world).records, after });

export function lossOfSnapshot({ world }: InspectorRequest, name: string): Loss {
  const image = snapshotsOf(world).get(name)?.image;
  return {
    verb: `Delete ${name}`,
    section: '/snapshots',
    goes: image ? countRecords(image) : {},
    after: 'The world itself does not change. You cannot undo this.',
  };
}

/** The loss of replacing or closing both worlds of a sandbox. */
export function lossOfSandbox(
  { control }: InspectorRequest,
  name: string,
  verb: string,
  after: string,
): Loss {
  const goes: Record<string, number> = {};
  for (const world of control.worlds.values())
    if (world.sandbox === name)
      for (const [table, count] of Object.entries(presentWorld(world).records))
        goes[table] = (goes[table] ?? 0) + count;
  return { verb: `${verb} ${name}`, section: '/worlds', goes, after };
}

/** Shows the records that an action removes, and asks for confirmation. */
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

/** Labels of the most important tables. All other tables are counted together. */
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

/** Returns labels and counts, with the other tables as one count. */
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

export function recordsText(counts: Counts): string {
  const texts = wordedCounts(counts).map(([words, count]) => `${count} ${words.toLowerCase()}`);
  return texts.join(', ') || 'nothing';
}
