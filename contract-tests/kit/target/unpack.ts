import { brotliDecompressSync, gunzipSync, inflateSync, type ZlibOptions } from 'node:zlib';

/** The limit for decompression, because a few bytes can expand to any size. @units bytes */
const MAX_UNPACKED = 64 * 1024 * 1024;

type Unpacker = (bytes: Buffer, bounds: ZlibOptions) => Buffer;

const UNPACKERS = new Map<string, Unpacker>([
  ['identity', (bytes) => bytes],
  ['gzip', gunzipSync],
  ['x-gzip', gunzipSync],
  ['deflate', inflateSync],
  ['br', brotliDecompressSync],
]);

/** The decompressed bytes of a body; undefined when they cannot be decompressed. */
export function unpackBody(bytes: Buffer, encoding = 'identity'): Buffer | undefined {
  if (bytes.length === 0) return bytes;
  try {
    const unpack = UNPACKERS.get(encoding.toLowerCase());
    return unpack?.(bytes, { maxOutputLength: MAX_UNPACKED });
  } catch {
    return undefined;
  }
}
