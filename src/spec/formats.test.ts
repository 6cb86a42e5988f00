import { expect, it } from 'vitest';
import { FORMATS } from './compiler.ts';

it.each([
  ['int16', -32768, 32767, [-32769, 32768]],
  ['int32', -2147483648, 2147483647, [-2147483649, 2147483648]],
  ['int64', -(2 ** 63), 2 ** 63, [-(2 ** 63) - 2048, 2 ** 63 + 2048]],
] as const)('%s ends at its smallest and its largest whole number', (name, least, most, beyond) => {
  const { validate } = FORMATS[name] as { validate: (value: number) => boolean };

  expect([least, 0, most].map(validate)).toEqual([true, true, true]);
  expect([...beyond, 0.5].map(validate)).toEqual([false, false, false]);
});
