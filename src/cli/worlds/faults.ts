import type { ClientAnswer } from '../../client/index.ts';
import { matchText, scheduleText, textOf } from '../../faults/fault-text.ts';
import type { FaultRuleInput } from '../../test-controls.ts';
import { EXIT } from '../exit-codes.ts';
import { CommandError } from '../failure.ts';
import { readYaml } from '../input-file.ts';
import { printPage } from '../print.ts';
import { callVerb, type VerbGroup } from '../verb.ts';
import { FAULT_FLAGS, faultOf } from './fault-flags.ts';

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
