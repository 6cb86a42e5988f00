import { api, call, check, describe, expect } from '../kit/index.ts';

describe('page size limits', () => {
  check(
    'WHK-49',
    { requirement: ['R-LIM-04', 'R-PAGE-07'], level: 'MUST', effect: 'E0' },
    'log with limit 1 and 1000 → echoed; 0 and 1001 → rejected, or not echoed, and the response is recorded',
    async (t) => {
      for (const limit of [1, 1000]) {
        const { pagination } = await api('listWebhookEvents', { query: { limit } }, 200);
        expect(pagination.limit).toBe(limit);
      }
      for (const limit of [0, 1001]) {
        const { status, body } = await call(
          'listWebhookEvents',
          { query: { limit } },
          [200, 400, 422],
        );
        t.observe(`limit ${limit}`, status);
        if (status === 200) expect(body.pagination.limit).not.toBe(limit);
      }
    },
  );
});
