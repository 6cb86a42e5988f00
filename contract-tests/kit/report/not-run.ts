import { plural } from 'billing-emulator/spec';
import type { CheckRecord } from '../check-run.ts';
import { exceeds } from '../effects.ts';
import { registry } from '../registry.ts';

const SHOWN_CHECKS = 3;
const SHOWN_REASONS = 12;

const isNotRun = ({ outcome }: CheckRecord): boolean =>
  outcome === 'not_selected' || outcome === 'not_observable';

const AMOUNTS = /\b(amounts?|balances?|costs?|credit|fees?|prices?|revenue)\b/;

/** What a check looks at: its resource, and amounts if it makes usage or credit and tests a sentence about them. */
function subjectsOf({ resource, effect, requirements }: CheckRecord): readonly string[] {
  const texts = requirements.map((id) => registry().requirements.get(id)?.text ?? '');
  const isOfAmounts = exceeds(effect, 'E2') && texts.some((text) => AMOUNTS.test(text));
  return [...(isOfAmounts ? ['amounts'] : []), resource];
}

/**
 * What a run did not look at, in one sentence: `312 checks did not run, among them all about amounts and wallets`; empty
 * when all ran.
 */
export function notLookedAt(checks: readonly CheckRecord[]): string {
  const left = checks.filter(isNotRun);
  if (left.length === 0) return '';
  const seen = new Set(checks.filter((check) => !isNotRun(check)).flatMap(subjectsOf));
  const subjects = [...new Set(left.flatMap(subjectsOf))].filter((subject) => !seen.has(subject));
  const count = `${plural(left.length, 'check')} did not run`;
  if (subjects.length === 0) return count;
  const inWords = new Intl.ListFormat('en').format(subjects.sort());
  return `${count}, among them all about ${inWords}`;
}

/**
 * Why checks did not run: one line for each reason, the most frequent first, with its first checks. What follows a
 * colon in a reason belongs to one check and is left out.
 */
export function notRunInWords(checks: readonly CheckRecord[]): readonly string[] {
  const byReason = new Map<string, CheckRecord[]>();
  for (const check of checks) {
    if (!isNotRun(check)) continue;
    const reason = (check.reason ?? '').split(': ')[0] as string;
    byReason.set(reason, [...(byReason.get(reason) ?? []), check]);
  }
  const reasons = [...byReason].sort(([, one], [, other]) => other.length - one.length);
  const rest = reasons.slice(SHOWN_REASONS).flatMap(([, left]) => left);
  return [
    ...reasons.slice(0, SHOWN_REASONS).map(([reason, left]) => line(reason, left)),
    ...(rest.length > 0 ? [line('other reasons, in the run record', rest)] : []),
  ];
}

function line(reason: string, checks: readonly CheckRecord[]): string {
  const shown = checks.slice(0, SHOWN_CHECKS).map(({ id }) => id);
  const more = checks.length > SHOWN_CHECKS ? ', …' : '';
  return `${checks.length}: ${reason} (${shown.join(', ')}${more})`;
}
