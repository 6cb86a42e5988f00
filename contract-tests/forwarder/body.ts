import { brotliDecompressSync, gunzipSync, inflateSync, type ZlibOptions } from 'node:zlib';
import { MAX_KEPT } from './traffic.ts';

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

/** The limit for decompression, because a few bytes can expand to any size. @units bytes */
const MAX_UNPACKED = 8 * MAX_KEPT;

/** The decompressed bytes of a body; undefined when they cannot be decompressed. */
export function unpackBody(bytes: Buffer, encoding = 'identity'): Buffer | undefined {
  const steps = new Map<string, (given: Buffer, bounds: ZlibOptions) => Buffer>([
    ['identity', (given) => given],
    ['gzip', gunzipSync],
    ['x-gzip', gunzipSync],
    ['deflate', inflateSync],
    ['br', brotliDecompressSync],
  ]);
  try {
    const step = steps.get(encoding.toLowerCase());
    return bytes.length === 0 ? bytes : step?.(bytes, { maxOutputLength: MAX_UNPACKED });
  } catch {
    return undefined;
  }
}
