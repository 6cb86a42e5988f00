import type { ClientAnswer } from '../../client/index.ts';
import { EXIT } from '../exit-codes.ts';
import { CommandError } from '../failure.ts';
import { alignColumns } from '../print.ts';
import type { Verb } from '../verb.ts';

/** `billing-emulator assumptions`: the decisions where the specification is silent. */
export const assumptionsVerb: Verb = {
  usage: 'assumptions [id]',
  about:
    'List the assumptions made where the specification is silent, or explain one, such as A-304',
  async run(client, { args: [id] }) {
    const { items } = await client.call('listAssumptions');
    if (id === undefined) {
      return { json: JSON.stringify(items), text: listOf(items) };
    }
    const found = items.find((each) => each.id === id.toUpperCase());
    if (!found) throw new CommandError(`There is no assumption ${id}.`, EXIT.failure);
    return { json: JSON.stringify(found), text: textOf(found) };
  },
};

type Assumption = ClientAnswer<'listAssumptions'>['items'][number];

/** Formats all assumptions, and their number for each kind of evidence. */
function listOf(items: readonly Assumption[]): string {
  const counts = new Map<string, number>();
  for (const { evidence } of items) counts.set(evidence, (counts.get(evidence) ?? 0) + 1);
  const summary = [...counts].map(([evidence, count]) => `${evidence} ${count}`).sort();
  const rows = items.map(({ id, evidence, title }) => [id, evidence, title]);
  return `${alignColumns(rows)}\n\n${items.length} by evidence: ${summary.join(', ')}.`;
}

function textOf({ id, title, gap, decision, reason, evidence, settings = [] }: Assumption): string {
  const why = `Why: ${reason} (Evidence: ${evidence}.)`;
  const rest = settings.length > 0 ? [`Settings: ${settings.join(', ')}`] : [];
  return [`${id} ${title}`, decision, why, `Silent in: ${gap}`, ...rest].join('\n\n');
}
