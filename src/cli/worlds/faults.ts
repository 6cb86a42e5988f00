import type { ClientAnswer } from '../../client/index.ts';
import { matchText, scheduleText, textOf } from '../../faults/fault-text.ts';
import type { FaultRuleInput } from '../../test-controls.ts';
import { EXIT } from '../exit-codes.ts';
import { CommandError } from '../failure.ts';
import { type FieldFlags, type Flags, fieldsOf, flag, numberFlag, numberOrText } from '../flags.ts';
import { printPage } from '../print.ts';
import { readYaml } from '../readers.ts';
import { callVerb, type VerbGroup } from '../verb.ts';

/** The rules of a file in YAML or JSON: a list, the same under `rules`, or one rule. */
function readRules(file: string): readonly FaultRuleInput[] {
  try {
    const content = readYaml(file);
    if (typeof content !== 'object' || content === null)
      throw new Error('Expected a list of fault rules.');
    return ('rules' in content ? content.rules : [content].flat()) as FaultRuleInput[];
  } catch (error) {
    throw new CommandError(`error: ${file}: ${(error as Error).message}`, EXIT.usage);
  }
}

function describeFaults({ enabled, rules }: ClientAnswer<'listFaults'>): string {
  const none = enabled ? 'No faults.' : 'Faults are switched off.';
  return printPage({ items: rules }, (rule) => [rowOf(rule)], none);
}

function rowOf(rule: ClientAnswer<'listFaults'>['rules'][number]): string[] {
  const { position, name = '', seen, applied } = rule;
  const counts = `seen ${seen}, applied ${applied}`;
  return [String(position), name, matchText(rule), scheduleText(rule), textOf(rule), counts];
}

const MATCH: FieldFlags<NonNullable<FaultRuleInput['match']>> = {
  operation: flag('--operation <id>', 'Only calls of this operation'),
  method: flag('--method <method>', 'Only requests by this method', {
    read: (text) => text.toUpperCase(),
  }),
  path: flag('--path <path>', 'Only requests to this path; * stands for one segment, ** for any'),
  customer: flag('--customer <id>', 'Only requests that name this customer'),
  topic: flag('--topic <topic>', 'Only deliveries of events of this topic'),
  destination: flag('--destination <id>', 'Only deliveries to this destination'),
};

const RULE: FieldFlags<FaultRuleInput> = {
  name: flag('--name <name>', 'What the request log calls it'),
  skip: numberFlag('--skip <count>', 'How many pass before it begins'),
  times: numberFlag('--times <count>', 'How many it is applied to at most'),
  every: numberFlag('--every <count>', 'Apply it to every nth'),
  probability: numberFlag('--probability <share>', 'How likely it is applied, from 0 to 1'),
  status: numberFlag('--status <status>', 'Answer with this status'),
  example: flag('--example <name>', "The document's example that is the body"),
  latency: flag('--latency <time>', 'Wait, as 500ms or 100ms..2s'),
  connection: flag('--connection <ending>', 'End the connection: reset, empty or truncated'),
  rate_limit: flag('--rate-limit <limit>', 'Let so many pass in a period, as 5/10s', {
    read: rateLimit,
  }),
  lost_response: flag('--lost-response', 'Carry the request out and drop the answer'),
  delivery: flag('--delivery <effect>', 'Do this to webhook deliveries: duplicate, swap, drop …'),
  seconds: numberFlag('--seconds <count>', 'How long a delay is, or how old a stale timestamp'),
};

/** The flags of one fault rule. */
export const FAULT_FLAGS = [...Object.values(MATCH), ...Object.values(RULE)];

/** The rule that flags describe; the emulator judges it. */
export function faultOf(flags: Flags): FaultRuleInput {
  const match = fieldsOf(MATCH, flags);
  return {
    ...fieldsOf(RULE, flags),
    ...(Object.keys(match).length > 0 && { match }),
  } as FaultRuleInput;
}

function rateLimit(text: string): object {
  const [limit = '', period = ''] = text.split('/');
  return { limit: numberOrText(limit), period };
}

/** `billing-emulator faults`: what goes wrong on purpose with requests and webhook deliveries. */
export const faultVerbs: VerbGroup = {
  usage: 'faults',
  about: 'List, set, add and clear what goes wrong on purpose',
  verbs: [
    callVerb('listFaults', {
      usage: 'list',
      isDefault: true,
      about: 'List the fault rules, with how much each saw and was applied to',
      text: describeFaults,
    }),
    callVerb('setFaults', {
      usage: 'set <file>',
      about: 'Put the rules of a file in the place of all others; - reads standard input',
      request: ({ args: [file = ''] }) => ({ body: { rules: readRules(file) } }),
      text: describeFaults,
    }),
    callVerb('addFault', {
      usage: 'add',
      about: 'Add a rule behind the others',
      flags: FAULT_FLAGS,
      request: ({ flags }) => ({ body: faultOf(flags) }),
      text: describeFaults,
    }),
    callVerb('listFaults', {
      usage: 'clear',
      about: 'Remove all rules',
      before: (client) => client.call('clearFaults'),
      text: describeFaults,
    }),
  ],
};
