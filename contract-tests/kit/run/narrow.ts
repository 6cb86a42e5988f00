import { exceeds } from '../effects.ts';
import { TOO_FEW } from '../outcome.ts';
import type { RunPlan } from '../plan.ts';
import { type Registry, registry } from '../registry.ts';
import { matchesNothing, reasonNotSelected } from '../selection.ts';
import type { CheckRecord } from '../trial.ts';
import { NO_CASE } from './complete.ts';
import { PROFILE_TRAITS, type Profile } from './options.ts';

interface NarrowQuestion {
  readonly checks: readonly CheckRecord[];
  readonly plan: Pick<RunPlan, 'selection' | 'ceiling'>;
  readonly profile: Profile;
  readonly isCutShort: boolean;
  readonly lists?: Pick<Registry, 'checks' | 'requirements'>;
}

/** Reasons why a run covered less than it states, one sentence each; empty when it covered all. */
export function narrownessOf(question: NarrowQuestion): readonly string[] {
  const { checks, plan, profile, isCutShort, lists = registry() } = question;
  const { selection, ceiling } = plan;
  const absent = checks.filter(({ reason, ids, effect }) => {
    const entries = ids.flatMap((id) => lists.checks.get(id) ?? []);
    const isSelected = reasonNotSelected(entries, selection) === undefined;
    return reason === NO_CASE && isSelected && !exceeds(effect, ceiling);
  });
  const uncited = [...lists.checks.values()].filter(
    ({ requirements }) => requirements.length === 0,
  );
  const untested = [...lists.requirements.values()].filter(
    (row) => row.checks.every((id) => !lists.checks.has(id)) && row.not_tested === undefined,
  );
  const short = checks.filter(({ notes }) => notes.includes(TOO_FEW));
  const sentences: readonly (readonly [boolean, string])[] = [
    [!isCutShort && absent.length > 0, `No case was found for ${names(absent.flatMap(idsOf))}.`],
    [uncited.length > 0, `No requirement was found for ${names(uncited.map(idOf))}.`],
    [untested.length > 0, `No check was found for ${names(untested.map(idOf))}.`],
    [short.length > 0, `Too few objects to prove anything for ${names(short.flatMap(idsOf))}.`],
    [
      matchesNothing(selection).length > 0,
      `Nothing is called ${names(matchesNothing(selection))}.`,
    ],
    [
      isLessThanNamed(profile, plan),
      `Profile ${profile} stands for every check; this run left some out.`,
    ],
  ];
  return sentences.flatMap(([applies, sentence]) => (applies ? [sentence] : []));
}

const idsOf = ({ ids }: CheckRecord) => ids;
const idOf = ({ id }: { readonly id: string }) => id;

/** Only `certify` promises that no check is left out. Other profiles run what is allowed and report it. */
function isLessThanNamed(
  profile: Profile,
  { selection, ceiling }: NarrowQuestion['plan'],
): boolean {
  const isWhole = Object.values(selection).every((part) => part.length === 0);
  return profile === 'certify' && (!isWhole || exceeds(PROFILE_TRAITS.certify.cap, ceiling));
}

const SHOWN = 5;

function names(all: readonly string[]): string {
  const unique = [...new Set(all)];
  const more = unique.length - SHOWN;
  return `${unique.slice(0, SHOWN).join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}
