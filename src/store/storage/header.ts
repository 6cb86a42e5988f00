import { SCHEMA_VERSION } from '../conversions.ts';

/** The first line of a file. */
export interface Header {
  readonly format: string;
  readonly schema_version: number;
  /** In a snapshot: the number of the journal that continues it. In a journal: its own number. */
  readonly number: number;
}

const FORMATS = { data: 'billing-emulator-data', journal: 'billing-emulator-journal' } as const;

export const headerOf = (kind: keyof typeof FORMATS, number: number): Header => ({
  format: FORMATS[kind],
  schema_version: SCHEMA_VERSION,
  number,
});

/** The flaw of the first line of a file; undefined if there is none. */
export function judgeHeader(value: unknown, kind: keyof typeof FORMATS): string | undefined {
  const { format, schema_version, number } = (value ?? {}) as Partial<Header>;
  if (format !== FORMATS[kind]) return `It is not a ${kind} file of this emulator.`;
  if (!Number.isSafeInteger(schema_version) || (schema_version as number) < 1)
    return `Its schema ${JSON.stringify(schema_version)} is not known.`;
  if ((schema_version as number) > SCHEMA_VERSION)
    return `It was written by a newer release (schema ${schema_version}, known up to ${SCHEMA_VERSION}).`;
  if (!Number.isSafeInteger(number) || (number as number) < 1)
    return `Its number ${JSON.stringify(number)} is invalid.`;
  return undefined;
}
