import { plural, printable } from 'billing-emulator/spec';
import type { CheckRecord } from '../check-record.ts';
import { requestOf } from '../operations.ts';
import { isRed, OUTCOMES, type Outcome } from '../outcome.ts';
import { exceeds } from '../plan.ts';
import { registry } from '../registry.ts';
import type { Cause } from '../run/causes.ts';
import type { RunRecord } from '../run/run.ts';
import { type Totals, totalsOf } from '../run/summarise.ts';

export type Paint = ReturnType<typeof createPaint>;

/** Colours for a terminal; without colour it returns texts unchanged. */
export function createPaint(hasColor: boolean) {
  const paint = (code: number) => (text: string) =>
    hasColor ? `\u001b[${code}m${text}\u001b[0m` : text;
  return { good: paint(32), bad: paint(31), faint: paint(2), strong: paint(1) };
}

/** Counts by outcome as text, in a fixed order, without zeros. */
export function countsInWords(totals: Totals): string {
  return (Object.keys(OUTCOMES) as Outcome[])
    .flatMap((outcome) => (totals[outcome] ? `${totals[outcome]} ${OUTCOMES[outcome].words}` : []))
    .join(', ');
}

/** The counts of a resource whose checks have run. */
export function resourceLine(records: readonly CheckRecord[], paint: Paint): string {
  const totals = totalsOf(records);
  const mark = records.some(isRed) ? paint.bad('✗') : paint.good('✓');
  return `${mark} ${(records[0]?.resource ?? '').padEnd(16)}${countsInWords(totals)}\n`;
}

const SHOWN_CHECKS = 3;

/** The summary of a run: one block for each cause of failures, then the counts and the claim. */
export function endOf(run: RunRecord, paint: Paint): string {
  const record = withoutControls(run);
  const lines: string[] = [''];
  for (const cause of record.causes) lines.push(...causeLines(cause, paint), '');
  lines.push(...refutedLines(record, paint));
  const { totals, exit, effects } = record;
  if (record.causes.length > 0)
    lines.push(`Causes  ${record.causes.length}, sorted by the failures that they explain`);
  lines.push(`Checks  ${countsInWords(totals)}`);
  for (const reason of notRunInWords(record.checks)) lines.push(`Not run ${reason}`);
  for (const { id, outcome, reason } of record.checks)
    if (outcome === 'unstable') lines.push(`Unstable ${id} ${reason}`);
  if (record.target.kind === 'external') lines.push(`Left    ${leftInWords(effects)}`);
  lines.push(`Claim   ${record.claim}`);
  for (const { code, text } of exit.reasons) lines.push(paint.bad(`Exit ${code}  ${text}`));
  const unseen = notLookedAt(record.checks);
  if (unseen !== '') lines.push(paint.strong(`Exit ${exit.code}  ${unseen}.`));
  return `${lines.join('\n')}\n`;
}

/** The record without control characters, which the texts of a target may contain and a terminal would obey. */
const withoutControls = (record: RunRecord): RunRecord =>
  JSON.parse(JSON.stringify(record), (_name, value) =>
    typeof value === 'string' ? printable(value) : value,
  );

function causeLines(cause: Cause, paint: Paint): readonly string[] {
  const { outcome, operation, operations, requirement, difference, checks, curl } = cause;
  const others = operations.length > 1 ? `and ${operations.length - 1} more operations` : '';
  const place = [requestOf(operation), requirement, others]
    .filter((part) => part !== '')
    .join('  ');
  const count = checks.length > 1 ? ` (${checks.length} checks)` : '';
  const more = checks.length - SHOWN_CHECKS;
  return [
    paint.bad(`✗ ${OUTCOMES[outcome].words}${count}: ${difference.split('\n')[0]}`),
    ...(place === '' ? [] : [`  ${place}`]),
    ...checks.slice(0, SHOWN_CHECKS).map((check) => `  ${check}`),
    ...(more > 0 ? [`  and ${more} more`] : []),
    ...(curl === undefined ? [] : [paint.faint(`  ${curl}`)]),
  ];
}

function refutedLines({ assumptions }: RunRecord, paint: Paint): readonly string[] {
  const refuted = assumptions.filter(({ verdict }) => verdict === 'refuted');
  if (refuted.length === 0) return [];
  const lines = refuted.flatMap(({ id, title, details }) => [
    `  ${id} ${title}`,
    ...details.map((detail) => paint.faint(`    ${detail}`)),
  ]);
  return [paint.strong('Refuted assumptions'), ...lines, ''];
}

/** What a run left on its target. */
export function leftInWords({ permanent, leftovers }: RunRecord['effects']): string {
  const kept = Object.entries(permanent).map(([operation, count]) => `${count} of ${operation}`);
  const words = kept.length === 0 ? 'nothing permanent' : kept.join(', ');
  return leftovers.length === 0 ? words : `${words}; not removed: ${leftovers.join('; ')}`;
}

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
  return reasons.map(([reason, left]) => {
    const shown = left.slice(0, SHOWN_CHECKS).map(({ id }) => id);
    const more = left.length > SHOWN_CHECKS ? ', …' : '';
    return `${left.length}: ${reason} (${shown.join(', ')}${more})`;
  });
}
