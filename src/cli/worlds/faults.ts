import type { ClientResponse } from '../../client/index.ts';
import type { FaultRuleInput } from '../../embed/test-controls.ts';
import { matchText, scheduleText, textOf } from '../../faults/text.ts';
import { type CommandGroup, operationCommand } from '../command.ts';
import { type FieldFlags, type Flags, fieldsOf, flag, numberFlag, numberOrText } from '../flags.ts';
import { printPage } from '../print.ts';

function describeFaults({ rules }: ClientResponse<'listFaults'>): string {
  return printPage({ items: rules }, rowOf, 'No faults.');
}

function rowOf(rule: ClientResponse<'listFaults'>['rules'][number]): string[] {
  const { position, name = '', seen, applied } = rule;
  const counts = `matched ${seen}, applied ${applied}`;
  return [String(position), name, matchText(rule), scheduleText(rule), textOf(rule), counts];
}

const MATCH: FieldFlags<NonNullable<FaultRuleInput['match']>> = {
  operation: flag('--operation <id>', 'Only calls of this operation'),
  customer: flag('--customer <id>', 'Only requests that name this customer, by id or external id'),
  topic: flag('--topic <topic>', 'Only deliveries of events of this topic'),
  destination: flag('--destination <id>', 'Only deliveries to this destination'),
};

const RULE: FieldFlags<FaultRuleInput> = {
  name: flag('--name <name>', 'Name shown in the request log'),
  skip: numberFlag('--skip <count>', 'Number of matches to let pass first'),
  times: numberFlag('--times <count>', 'Maximum number of times it applies'),
  status: numberFlag('--status <status>', 'Respond with this status'),
  latency: flag('--latency <time>', 'Delay, such as 500ms'),
  connection: flag('--connection <ending>', 'End the connection: reset, empty or truncated'),
  rate_limit: flag('--rate-limit <limit>', 'Requests allowed in a period, such as 5/10s', {
    read: rateLimit,
  }),
  lost_response: flag('--lost-response', 'Carry out the request and drop the response'),
  delivery: flag(
    '--delivery <effect>',
    'What to do to webhook deliveries: drop, delay, duplicate, swap or status',
  ),
  seconds: numberFlag('--seconds <count>', 'Length of the delay of a delivery, in seconds'),
};

const FAULT_FLAGS = [...Object.values(MATCH), ...Object.values(RULE)];

/** Builds a fault rule from flags. The emulator validates it. */
function faultOf(flags: Flags): FaultRuleInput {
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

/** `billing-emulator faults`: faults to inject into requests and webhook deliveries. */
export const faultCommands: CommandGroup = {
  usage: 'faults',
  about: 'Inject faults into requests and webhook deliveries',
  commands: [
    operationCommand('addFault', {
      usage: 'add',
      about: 'Add a rule after the others',
      flags: FAULT_FLAGS,
      request: ({ flags }) => ({ body: faultOf(flags) }),
      text: describeFaults,
    }),
  ],
};
