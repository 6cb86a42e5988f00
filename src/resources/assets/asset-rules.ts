import { findCurrency } from '../../domain/currencies.ts';
import { agrees, readRate } from '../../domain/rates.ts';
import { type Finding, finding, findingIf, isGiven } from '../../domain/rules.ts';
import type { Call } from '../../spec/operations.ts';
import type { AssetRow } from '../../store/records.ts';

type AssetCreate = Call<'createAsset'>['body'];

const GRAPHEMES = new Intl.Segmenter('en', { granularity: 'grapheme' });

/** Checks a new asset, given the existing row with its code. @assumes */
export function validateAsset(asset: AssetCreate, known: AssetRow | undefined): readonly Finding[] {
  const { code, precision, symbol } = asset;
  const fixed = findCurrency(code)?.precision;
  const isOther = fixed !== undefined && (precision ?? fixed) !== fixed;
  return [
    ...findingIf(known?.listed, 'asset.code_taken', 'code'),
    ...findingIf(isOther, 'asset.precision_fixed', 'precision'),
    ...findingIf(isGiven(symbol) && !isOneCharacter(symbol), 'asset.symbol_length', 'symbol'),
    ...validateStartingRates(asset),
  ];
}

function validateStartingRates({ code, rates }: AssetCreate): readonly Finding[] {
  const firstPlaces = new Map<string, number>();
  return (rates ?? []).flatMap(({ source, ...sides }, place) => {
    const field = `rates[${place}].source`;
    const side = `rates[${place}].${sides.rate == null ? 'rate' : 'inverse_rate'}`;
    const firstPlace = firstPlaces.get(source) ?? place;
    firstPlaces.set(source, firstPlace);
    return [
      ...findingIf(!readRate(sides), 'rate.missing', side),
      ...findingIf(!agrees(sides), 'rate.disagrees', side),
      ...validateSource(source, code, field),
      ...findingIf(firstPlace < place, 'rate.source_repeated', field),
    ];
  });
}

/** Checks the source of an asset's rate. @assumes A-401 it is a currency, and another one */
export function validateSource(source: string, code: string, field: string): readonly Finding[] {
  if (!findCurrency(source)) return [finding('currency.required', field)];
  return findingIf(source === code, 'rate.own_source', field);
}

/** Whether a text is one visible character; a joined emoji is one. */
const isOneCharacter = (text: string): boolean => [...GRAPHEMES.segment(text)].length === 1;
