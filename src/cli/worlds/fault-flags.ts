import type { Command } from 'commander';
import type { FaultRuleInput } from '../../test-controls.ts';

/** One rule in flags; all are text as given. */
export interface FaultFlags {
  readonly name?: string;
  readonly operation?: string;
  readonly method?: string;
  readonly path?: string;
  readonly customer?: string;
  readonly skip?: string;
  readonly times?: string;
  readonly every?: string;
  readonly probability?: string;
  readonly status?: string;
  readonly example?: string;
  readonly latency?: string;
  readonly connection?: string;
  readonly rateLimit?: string;
  readonly lostResponse?: boolean;
}

export function addFaultFlags(command: Command): Command {
  return command
    .option('--name <name>', 'What the request log calls it')
    .option('--operation <id>', 'Only calls of this operation')
    .option('--method <method>', 'Only requests by this method')
    .option('--path <path>', 'Only requests to this path; * stands for one segment, ** for any')
    .option('--customer <id>', 'Only requests that name this customer')
    .option('--skip <count>', 'How many pass before it begins')
    .option('--times <count>', 'How many it is applied to at most')
    .option('--every <count>', 'Apply it to every so manieth')
    .option('--probability <share>', 'How likely it is applied, from 0 to 1')
    .option('--status <status>', 'Answer with this status')
    .option('--example <name>', "The document's example that is the body")
    .option('--latency <time>', 'Wait, as 500ms or 100ms..2s')
    .option('--connection <ending>', 'End the connection: reset, empty or truncated')
    .option('--rate-limit <limit>', 'Let so many pass in a period, as 5/10s')
    .option('--lost-response', 'Carry the request out and drop the answer');
}

/** The rule that flags describe; the emulator judges it. */
export function faultOf(flags: FaultFlags): FaultRuleInput {
  const { name, operation, method, path, customer, example, latency, connection } = flags;
  const match = defined({ operation, method: method?.toUpperCase(), path, customer });
  const { skip, times, every, probability, status } = flags;
  const numbers = Object.entries(defined({ skip, times, every, probability, status }));
  const [limit, period] = flags.rateLimit?.split('/') ?? [];
  return {
    ...defined({ name, example, latency, connection }),
    ...(Object.keys(match).length > 0 && { match }),
    ...Object.fromEntries(numbers.map(([field, text]) => [field, numberOf(String(text))])),
    ...(limit !== undefined && { rate_limit: { limit: numberOf(limit), period: period ?? '' } }),
    ...(flags.lostResponse && { lost_response: true }),
  } as FaultRuleInput;
}

/** A number where the text is one; else the text itself, for the emulator to name. */
function numberOf(text: string): number | string {
  return text.trim() === '' || Number.isNaN(Number(text)) ? text : Number(text);
}

function defined(fields: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}
