import { unpackBody } from '../kit/target/unpack.ts';

export interface ReadBody {
  readonly value: unknown;
  readonly length: number;
}

/** The content of a body: parsed JSON, or a text when it is not JSON; undefined when it cannot be decompressed. */
export function readBody(
  bytes: Buffer | undefined,
  encoding: string | undefined,
): ReadBody | undefined {
  const unpacked = bytes && unpackBody(bytes, encoding);
  if (!unpacked) return undefined;
  const text = unpacked.toString('utf8');
  try {
    return { value: text === '' ? undefined : JSON.parse(text), length: unpacked.length };
  } catch {
    return { value: text, length: unpacked.length };
  }
}
