import { describe, expect, it } from 'vitest';
import { loadDocument } from '../spec/document.ts';
import { createTestClient } from '../testing/client.ts';

describe('long responses of the control interface', () => {
  it('are cut to 8 MiB, and name the shortened lists in X-Emulator-Truncated', async () => {
    const { control, emulator, http } = createTestClient();
    const world = emulator.worlds.find('key_test_emulator');
    const message = 'x'.repeat(1_000_000);
    world?.commit(() => {
      for (let seq = 1; seq <= 12; seq += 1) {
        const row = { id: `w${seq}`, seq: world.nextSeq(), at: world.now, owner: world.accountId };
        world.tables.warnings.put({ ...row, kind: 'unknown_field', message });
      }
    });
    const { headers, body } = await http
      .get('/_emulator/warnings')
      .set('Authorization', 'Bearer key_test_emulator');

    expect([body.items.length, body.total_count]).toEqual([8, 12]);
    expect(headers['x-emulator-truncated']).toBe('items');
    expect((await control('listWarnings', { query: { offset: 8 } }, 200)).items).toHaveLength(4);
  });

  it('are sent whole only for exportRequests, which the request log limits', () => {
    const whole = [...loadDocument('control').operations.values()].filter(({ isWhole }) => isWhole);

    expect(whole.map(({ id }) => id)).toEqual(['exportRequests']);
  });
});
