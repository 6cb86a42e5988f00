import { crc32, deflateSync } from 'node:zlib';
import type { Page } from 'playwright-core';

/** An image as indexes of a palette. */
interface Indexed {
  readonly width: number;
  readonly height: number;
  /** Red, green and blue of each colour. */
  readonly palette: readonly number[];
  /** One byte per pixel, in base64. */
  readonly places: string;
}

/**
 * Reduces a screenshot to a third of its size: keeps only the most frequent colours, and replaces each other one by the
 * nearest of them. The browser that took it decodes it.
 */
export async function smallPng(page: Page, png: Buffer): Promise<Buffer> {
  const indexed = await page.evaluate<Indexed>(
    `(${INDEX})(${JSON.stringify(png.toString('base64'))})`,
  );
  return encode(indexed);
}

/** Runs in the browser. */
const INDEX = `async (png) => {
  const bytes = Uint8Array.from(atob(png), (character) => character.charCodeAt(0));
  const image = await createImageBitmap(new Blob([bytes]));
  const { width, height } = image;
  const drawing = new OffscreenCanvas(width, height).getContext('2d');
  drawing.drawImage(image, 0, 0);
  const colours = new Uint32Array(drawing.getImageData(0, 0, width, height).data.buffer);
  const counts = new Map();
  for (const colour of colours) counts.set(colour, (counts.get(colour) ?? 0) + 1);
  const channels = (colour) => [colour & 255, (colour >> 8) & 255, (colour >> 16) & 255];
  const kept = [...counts].sort((one, other) => other[1] - one[1]).slice(0, 64).map(([colour]) => channels(colour));
  const nearest = (colour) => {
    const own = channels(colour);
    const distances = kept.map((each) => each.reduce((sum, value, at) => sum + (value - own[at]) ** 2, 0));
    return distances.indexOf(Math.min(...distances));
  };
  const places = new Map([...counts.keys()].map((colour) => [colour, nearest(colour)]));
  let text = '';
  for (const colour of colours) text += String.fromCharCode(places.get(colour));
  return { width, height, palette: kept.flat(), places: btoa(text) };
}`;

const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
/** PNG header fields: 8 bits per pixel, indexed colour, default methods. */
const KIND = Buffer.from([8, 3, 0, 0, 0]);

function encode({ width, height, palette, places }: Indexed): Buffer {
  const pixels = Buffer.from(places, 'base64');
  const size = Buffer.alloc(8);
  size.writeUInt32BE(width, 0);
  size.writeUInt32BE(height, 4);
  // Each row begins with its filter type: none.
  const rows = Array.from({ length: height }, (_, row) =>
    Buffer.concat([Buffer.of(0), pixels.subarray(row * width, (row + 1) * width)]),
  );
  return Buffer.concat([
    SIGNATURE,
    chunk('IHDR', Buffer.concat([size, KIND])),
    chunk('PLTE', Buffer.from(palette)),
    chunk('IDAT', deflateSync(Buffer.concat(rows), { level: 9 })),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

function chunk(type: string, data: Buffer): Buffer {
  const named = Buffer.concat([Buffer.from(type), data]);
  const ends = Buffer.alloc(8);
  ends.writeUInt32BE(data.length, 0);
  ends.writeUInt32BE(crc32(named), 4);
  return Buffer.concat([ends.subarray(0, 4), named, ends.subarray(4)]);
}
