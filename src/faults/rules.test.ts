import { describe, expect, it } from 'vitest';
import { createTestClient, worldOf } from '../testing/client.ts';
import { faultRulesOf } from './rules.ts';

/** The rules of a world, with one rule that is applied twice. */
function open() {
  const { emulator } = createTestClient({ fixture: '' });
  const world = worldOf(emulator);
  const rules = faultRulesOf(world);
  rules.set([{ delivery: 'drop', times: 2 }]);
  const meet = () => rules.match(({ delivery }) => delivery === 'drop')?.position;
  const counts = () => rules.list().map(({ seen, applied }) => [seen, applied]);
  return { world, meet, counts };
}

describe('the counts of a fault rule', () => {
  it('are kept when the commit that changed them succeeds', () => {
    const { world, meet, counts } = open();

    expect(world.commit(() => [meet(), meet(), meet()])).toEqual([1, 1, undefined]);
    expect(counts()).toEqual([[3, 2]]);
  });

  it('are rolled back with the commit or dry run that changed them, and with no other', () => {
    const { world, meet, counts } = open();
    const fail = () => {
      meet();
      throw new Error('refused');
    };

    meet();
    world.dryRun(meet);
    expect(() => world.commit(fail)).toThrow('refused');
    expect(counts()).toEqual([[1, 1]]);
    world.commit(() => {
      expect(() => world.commit(fail)).toThrow('refused');
      world.dryRun(meet);
      meet();
    });
    expect(counts()).toEqual([[2, 2]]);
  });
});
