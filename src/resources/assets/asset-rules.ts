import { findCurrency } from '../../domain/currencies.ts';
import { agrees, readRate } from '../../domain/rates.ts';
import { type Finding, finding } from '../../domain/rules.ts';
import type { Call } from '../../spec/operations.ts';
import type { AssetRow } from '../../state/records.ts';

type AssetCreate = Call<'createAsset'>['body'];

const GRAPHEMES = new Intl.Segmenter('en', { granularity: 'grapheme' });

/** What is wrong with a new asset, seeing what bears its code so far. @assumes */
export function judgeAsset(asset: AssetCreate, known: AssetRow | undefined): readonly Finding[] {
  const findings: Finding[] = [];
  if (known?.listed) findings.push(finding('asset.code_taken', 'code'));
  const fixed = findCurrency(asset.code)?.precision;
  if (fixed !== undefined && (asset.precision ?? fixed) !== fixed)
    findings.push(finding('asset.precision_fixed', 'precision'));
  if (typeof asset.symbol === 'string' && !isOneCharacter(asset.symbol))
    findings.push(finding('asset.symbol_length', 'symbol'));
  return [...findings, ...judgeStartingRates(asset)];
}

function judgeStartingRates({ code, rates }: AssetCreate): readonly Finding[] {
  const findings: Finding[] = [];
  const seen = new Set<string>();
  for (const [place, { source, ...sides }] of (rates ?? []).entries()) {
    const field = `rates[${place}].source`;
    const side = `rates[${place}].${sides.rate == null ? 'rate' : 'inverse_rate'}`;
    if (!readRate(sides)) findings.push(finding('rate.missing', side));
    if (!agrees(sides)) findings.push(finding('rate.disagrees', side));
    findings.push(...judgeSource(source, code, field));
    if (seen.has(source)) findings.push(finding('rate.source_repeated', field));
    seen.add(source);
  }
  return findings;
}

/** What is wrong with the source of a rate of an asset. @assumes A-401 it is a currency, and another one */
export function judgeSource(source: string, code: string, field: string): readonly Finding[] {
  if (!findCurrency(source)) return [finding('currency.required', field)];
  return source === code ? [finding('rate.own_source', field)] : [];
}

/** Whether a reader sees one character, which a joined emoji is too. */
function isOneCharacter(text: string): boolean {
  return [...GRAPHEMES.segment(text)].length === 1;
}
