import { describe, expect, it } from 'vitest';
import { nearest, printable, printableLine } from './wording.ts';

it('escapes what a terminal obeys, and leaves tabs, line feeds and every other character', () => {
  expect(printable('a\u001b[2Jb\u0007c\rd\u009b31me\u202ef\u0000')).toBe(
    'a\\u001b[2Jb\\u0007c\\u000dd\\u009b31me\\u202ef\\u0000',
  );
  expect(printable('Ada\tØrsted\n✦ 価格 👩‍🚀')).toBe('Ada\tØrsted\n✦ 価格 👩‍🚀');
});

it('leaves JSON the same JSON', () => {
  const text = JSON.stringify({ name: 'a\u001b\u009b\u202e"\\' }, null, 2);

  expect(JSON.parse(printable(text))).toEqual(JSON.parse(text));
});

it('keeps a text on one line where each line stands for itself', () => {
  expect(printableLine('a\nb')).toBe('a\\nb');
});

describe('nearest', () => {
  it('returns the closest name in any case, or undefined if none is close', () => {
    expect(nearest('Custmer_Id', ['customer_id', 'currency'])).toBe('customer_id');
    expect(nearest('weather', ['customer_id', 'currency'])).toBeUndefined();
    expect(nearest('name', [])).toBeUndefined();
  });

  it('returns a longer name that begins with it', () => {
    expect(nearest('timeout', ['count', 'timeout_seconds'])).toBe('timeout_seconds');
    expect(nearest('tim', ['count', 'timeout_seconds'])).toBeUndefined();
  });
});
