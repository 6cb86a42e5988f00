import { exceeds } from '../effects.ts';
import { TOO_FEW } from '../outcome.ts';
import type { RunPlan } from '../plan.ts';
import { type CheckEntry, registry } from '../registry.ts';
import { matchesNothing, reasonNotSelected } from '../selection.ts';
import type { CheckRecord } from '../trial.ts';
import { NOT_REACHED } from './complete.ts';
import { PROFILE_TRAITS, type Profile } from './options.ts';

interface NarrowQuestion {
  readonly checks: readonly CheckRecord[];
  readonly plan: Pick<RunPlan, 'selection' | 'ceiling'>;
  readonly profile: Profile;
  readonly isCutShort: boolean;
}

/** Reasons why a run covered less than it states, one sentence each; empty when it covered all. */
export function narrownessOf(question: NarrowQuestion): readonly string[] {
  const { checks, plan, profile, isCutShort } = question;
  const { selection, ceiling } = plan;
  const absent = checks.filter(({ reason, id, effect }) => {
    const entry = registry().checks.get(id) as CheckEntry;
    const isSelected = reasonNotSelected(entry, selection) === undefined;
    return reason === NOT_REACHED && isSelected && !exceeds(effect, ceiling);
  });
  const short = checks.filter(({ notes }) => notes.includes(TOO_FEW));
  const sentences: readonly (readonly [boolean, string])[] = [
    [!isCutShort && absent.length > 0, `There is no result of ${names(absent.map(idOf))}.`],
    [short.length > 0, `Too few objects to prove anything for ${names(short.map(idOf))}.`],
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

const idOf = ({ id }: CheckRecord) => id;

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
