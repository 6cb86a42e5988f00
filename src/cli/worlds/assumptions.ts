import type { Command } from 'commander';
import { EXIT } from '../exit-codes.ts';
import { alignColumns, print } from '../print.ts';
import { addRemoteFlags, RemoteFailure, type RemoteFlags, withRemote } from '../remote.ts';

/** `billing-emulator assumptions`: what was decided where the specification is silent. */
export function addAssumptions(program: Command): void {
  const command = program
    .command('assumptions')
    .description('List what was decided where the specification is silent, or explain one')
    .argument('[id]', 'Id of an assumption, such as A-304');
  addRemoteFlags(command).action((id: string | undefined, flags: RemoteFlags) =>
    withRemote(flags, async (remote) => {
      const { items } = await remote.call('listAssumptions');
      const found = items.filter((each) => id === undefined || each.id === id.toUpperCase());
      if (found.length === 0)
        throw new RemoteFailure(`There is no assumption ${id}.`, EXIT.failure);
      if (flags.json) print(JSON.stringify(id === undefined ? found : found[0]));
      else print(id === undefined ? listOf(found) : textOf(found[0] as Assumption));
    }),
  );
}

interface Assumption {
  readonly id: string;
  readonly title: string;
  readonly gap: string;
  readonly decision: string;
  readonly reason: string;
  readonly evidence: string;
  readonly settings?: readonly string[];
}

/** All of them, and how many there are by what they rest on. */
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
