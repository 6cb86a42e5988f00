import { codes, code as lookUp } from 'currency-codes';

/** A currency of ISO 4217 and the decimal places of its minor unit. */
interface Currency {
  readonly code: string;
  readonly name: string;
  readonly precision: number;
}

/** Currencies that ISO 4217 added after the package was published. */
const LATER_CURRENCIES: readonly Currency[] = [
  { code: 'XAD', name: 'Arab Accounting Dinar', precision: 2 },
  { code: 'XCG', name: 'Caribbean Guilder', precision: 2 },
];

const CURRENCIES: ReadonlyMap<string, Currency> = new Map(
  [...codes().flatMap(readRecord), ...LATER_CURRENCIES].map((each) => [each.code, each]),
);

/** The currency with a code; undefined for any other code. @assumes A-401 */
export const findCurrency = (code: string): Currency | undefined => CURRENCIES.get(code);

function readRecord(code: string): readonly Currency[] {
  const record = lookUp(code);
  return record ? [{ code, name: record.currency.trim(), precision: record.digits }] : [];
}
