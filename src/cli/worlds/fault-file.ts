import { readFileSync } from 'node:fs';
import type { FaultRuleInput } from '../../test-controls.ts';
import { yaml } from '../../text/yaml.ts';

/**
 * Reads fault rules from a file in YAML or JSON, or from standard input where it is called `-`: a list, the same
 * under `rules`, or one rule.
 *
 * @throws Error saying why it cannot be read
 */
export function readFaultFile(file: string): readonly FaultRuleInput[] {
  const content: unknown = yaml().parse(readFileSync(file === '-' ? 0 : file, 'utf8'));
  if (Array.isArray(content)) return content;
  if (typeof content !== 'object' || content === null)
    throw new Error('Expected a list of fault rules.');
  return 'rules' in content
    ? (content.rules as readonly FaultRuleInput[])
    : [content as FaultRuleInput];
}
