import type { ComponentChildren } from 'preact';
import type { Context } from '../../../resources/context.ts';
import { Amount } from '../../amount.tsx';
import { Id } from '../../id.tsx';
import { Words } from '../../parts.tsx';
import { Time } from '../../time.tsx';

type Fields = Readonly<Record<string, unknown>>;

const INSTANT = /^\d{4}-\d\d-\d\dT[\d:.]+Z$/;
const IDENTIFIER = /^(?:[a-z]{3,4}_[0-9a-z]{10,}|[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f-]{22})$/;

/** The fields that hold an amount, each with the fields that can name its asset. */
const AMOUNTS: Readonly<Record<string, readonly string[]>> = {
  amount: ['currency', 'asset'],
  available: ['asset'],
  balance_after: ['asset'],
  credit: ['asset'],
  remaining: ['asset'],
  repaid: ['asset'],
  threshold: ['asset'],
  total_fees: ['fee_currency'],
};
const REPORTED = new Set(['cost', 'revenue', 'worth']);

/** Formats the value of a field: identifiers are links, and times and amounts are formatted. */
export function fieldValue(context: Context, name: string, fields: Fields): ComponentChildren {
  const value = fields[name];
  if (value === null || value === undefined) return undefined;
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (typeof value !== 'string') return typeof value === 'object' ? undefined : String(value);
  const asset = assetOf(context, name, fields);
  if (asset !== undefined) {
    const isSigned = name === 'amount' && 'postings' in fields;
    return <Amount owner={context.owner} amount={value} asset={asset} isSigned={isSigned} />;
  }
  if (INSTANT.test(value)) return <Time as="exact" at={value} />;
  if (IDENTIFIER.test(value)) return <Id id={value} />;
  return <Words text={value} />;
}

function assetOf({ settings }: Context, name: string, fields: Fields): string | undefined {
  if (REPORTED.has(name)) return settings.reporting_currency;
  const among = Object.hasOwn(AMOUNTS, name) ? AMOUNTS[name] : undefined;
  const field = among?.find((each) => typeof fields[each] === 'string');
  return field && String(fields[field]);
}

export const fieldWord = (name: string): string => {
  const words = name
    .replace(/(?<!external)_id$/, '')
    .replace(/url$/, 'URL')
    .replaceAll('_', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
};
