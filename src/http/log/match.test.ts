import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compilePath } from './match.ts';

describe('a path pattern', () => {
  it.each([
    ['/customers', '/customers', true],
    ['/customers', '/customers/', false],
    ['/customers/*', '/customers/cust_1', true],
    ['/customers/*', '/customers/', true],
    ['/customers/*', '/customers/cust_1/wallet', false],
    ['/customers/*/wallet', '/customers/cust_1/wallet', true],
    ['/customers/**', '/customers/cust_1/wallet', true],
    ['/**/wallet', '/customers/cust_1/wallet', true],
    ['/**/wallet/*', '/customers/cust_1/wallet/accounts/x', false],
    ['/cust*/x', '/customers/x', true],
    ['**', '/anything/at/all', true],
    ['/a.c', '/abc', false],
    ['/(a+)+$', '/(a+)+$', true],
    ['/[a-z]*', '/b', false],
    ['/a***b', '/a/x/b', true],
  ])('%s is compared with %s', (pattern, path, expected) => {
    expect(compilePath(pattern)(path)).toBe(expected);
  });

  it('matches the same paths as the equivalent regular expression', () => {
    const text = (...parts: readonly string[]) =>
      fc.array(fc.constantFrom(...parts), { maxLength: 8 }).map((list) => list.join(''));
    fc.assert(
      fc.property(text('/', 'a', 'b', '*', '**'), text('/', 'a', 'b'), (pattern, path) => {
        const source = pattern.replaceAll(/\*+/g, (stars) => (stars === '*' ? '[^/]*' : '.*'));
        expect(compilePath(pattern)(path)).toBe(new RegExp(`^${source}$`).test(path));
      }),
      { numRuns: 3_000 },
    );
  });

  it.each(['**a', '*a'])('stays fast with many stars that almost match: %s', (part) => {
    const judge = compilePath(`/${part.repeat(60)}b`);
    const begin = performance.now();

    expect(judge(`/${'a'.repeat(8_000)}`)).toBe(false);
    expect(performance.now() - begin).toBeLessThan(1_000);
  });
});
