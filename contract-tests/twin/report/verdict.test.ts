import { expect, it } from 'vitest';
import type { TwinSummary } from './report.ts';
import { verdictOf } from './verdict.ts';

const codeOf = (causes: number, lost: number, compared: number) =>
  verdictOf({
    ...{ causes: Array.from({ length: causes }), lost, compared },
    requests: lost + compared,
  } as unknown as TwinSummary).code;

it.each([
  ['all agrees', 0, 0, 1, 0],
  ['something differs', 1, 0, 1, 11],
  ['something differs, and the service did not answer all', 1, 1, 1, 11],
  ['the service did not answer all', 0, 1, 1, 6],
  ['the service never answered', 0, 1, 0, 6],
  ['nothing was compared', 0, 0, 0, 12],
])('the twin exits with the code for this case: %s', (_, causes, lost, compared, code) => {
  expect(codeOf(causes, lost, compared)).toBe(code);
});
