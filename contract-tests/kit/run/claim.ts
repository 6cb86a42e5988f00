import type { RunRecord } from './record.ts';

/**
 * The summary sentence of a run, for quotation. It claims conformance only for a complete run; any other run is partial
 * or not conformant, and the sentence says why.
 */
export function claimOf(
  record: Pick<RunRecord, 'profile' | 'exit' | 'matrix' | 'requirements' | 'plan' | 'specVersion'>,
): string {
  const { profile, exit, matrix, requirements, plan, specVersion } = record;
  const { asserted, exempt, total } = matrix;
  const musts = requirements.filter(
    ({ level, outcome }) => level === 'MUST' && outcome !== 'not_tested',
  );
  const met = musts.filter(({ outcome }) => outcome === 'met').length;
  const cells = `cells ${asserted}/${total}`;
  const excused = exempt === 0 ? '' : `, ${exempt} exempt with reasons`;
  const broken = musts.filter(({ outcome }) => outcome === 'broken').length;
  if (broken > 0)
    return `not conformant: ${broken} MUST requirements broken, ${met} of ${musts.length} met, ${cells}${excused}`;
  const isWhole = profile === 'certify' && met === musts.length && asserted + exempt === total;
  if (exit.code === 0 && isWhole)
    return `conformant to spec ${specVersion}: all ${musts.length} MUST requirements, ${cells}${excused}`;
  return `partial: ${plan.ceiling} ceiling, ${asserted} of ${total} cells, ${met} of ${musts.length} MUST requirements met${excused}`;
}
