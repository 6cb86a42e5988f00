import type { CheckRecord } from '../trial.ts';

const SHOWN_CHECKS = 3;
const SHOWN_REASONS = 12;

/**
 * Why checks did not run: one line for each reason, the most frequent first, with its first checks. What follows a
 * colon in a reason belongs to one check and is left out.
 */
export function notRunInWords(checks: readonly CheckRecord[]): readonly string[] {
  const byReason = new Map<string, CheckRecord[]>();
  for (const check of checks) {
    if (check.outcome !== 'not_selected' && check.outcome !== 'not_observable') continue;
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
