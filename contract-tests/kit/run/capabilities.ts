import { parse } from 'yaml';
import { OFFERS_OF_OURS } from '../plan.ts';
import { registry } from '../registry.ts';
import type { CheckRecord } from '../trial.ts';
import { ConfigurationError, readFileAs } from './options.ts';

/** The declared capabilities of a target, and its exemptions, each with an expiry date. */
export interface Capabilities {
  readonly offers: readonly string[];
  readonly exempt: readonly Exemption[];
}

export interface Exemption {
  /** A check, or a cell such as `getAccountContext 404`. */
  readonly item: string;
  readonly reason: string;
  readonly owner: string;
  readonly expires: string;
}

export const NO_CAPABILITIES: Capabilities = { offers: [], exempt: [] };

/** Reads a capabilities file. @throws ConfigurationError naming what is missing */
export function readCapabilities(file: string | undefined): Capabilities {
  if (file === undefined) return NO_CAPABILITIES;
  const found = (readFileAs(file, parse) ?? {}) as { offers?: unknown; exempt?: unknown };
  refuseUnknown(file, Object.keys(found), ['offers', 'exempt']);
  const exempt = ((found.exempt ?? []) as Record<string, unknown>[]).map((row, index) =>
    readExemption(row, `${file}: exempt[${index}]`),
  );
  const offers = ((found.offers ?? []) as unknown[]).map(String);
  refuseUnknown(`${file}: offers`, offers, OFFERS_OF_OURS);
  return { offers, exempt };
}

/** A misspelt name would silently leave checks out. */
function refuseUnknown(place: string, names: readonly string[], known: readonly string[]): void {
  const unknown = names.filter((name) => !known.includes(name));
  if (unknown.length > 0)
    throw new ConfigurationError(
      `${place}: ${unknown.join(', ')} is not one of ${known.join(', ')}`,
    );
}

function readExemption(row: Record<string, unknown>, place: string): Exemption {
  const item = String(row['check'] ?? row['cell'] ?? '');
  const reason = String(row['reason'] ?? '');
  const owner = String(row['owner'] ?? '');
  const expires = String(row['expires'] ?? '').slice(0, 10);
  if (item === '') throw new ConfigurationError(`${place} names no check or cell`);
  if (row['check'] !== undefined && !registry().checks.has(item))
    throw new ConfigurationError(`${place}: there is no check ${item}`);
  if (reason === '' || owner === '' || !/^\d{4}-\d\d-\d\d$/.test(expires))
    throw new ConfigurationError(`${place} (${item}) needs reason, owner and expires (a day)`);
  return { item, reason, owner, expires };
}

/** Cells that are exempt on a day, with the reason. */
export function exemptCells({ exempt }: Capabilities, day: string): ReadonlyMap<string, string> {
  const current = exempt.filter(({ item, expires }) => item.includes(' ') && expires >= day);
  return new Map(current.map(({ item, reason }) => [item, reason]));
}

/** Applies the exemptions. A check fails when its exemption has expired or is not needed. */
export function applyExemptions(
  checks: readonly CheckRecord[],
  { exempt }: Capabilities,
  day: string,
): void {
  for (const check of checks) {
    const exemption = exempt.find(({ item }) => item === check.id);
    if (!exemption || check.outcome === 'not_selected') continue;
    const { reason, owner, expires } = exemption;
    if (expires < day) {
      check.outcome = 'fail';
      check.reason = `its exemption expired on ${expires} (${owner}: ${reason})`;
    } else if (check.outcome === 'fail' || check.outcome === 'untestable') {
      check.outcome = 'exempt';
      check.reason = `${reason} (${owner}, until ${expires})`;
    } else if (check.outcome === 'pass') {
      check.outcome = 'fail';
      check.reason = 'it passes, so its exemption is not needed';
    }
  }
}
