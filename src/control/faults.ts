import { type Finding, finding, throwIfInvalid } from '../domain/rules.ts';
import { type FaultRule, MAX_RULES, validateRule } from '../faults/rule.ts';
import { type FaultRuleState, faultRulesOf } from '../faults/rules.ts';
import { loadDocument } from '../spec/document.ts';
import { destinationId } from '../store/ids.ts';
import type { ControlContext, ControlHandler } from './context.ts';

export const listFaults: ControlHandler<'listFaults'> = (_call, context) => ({
  status: 200,
  body: present(context),
});

/** @assumes A-1411 */
export const setFaults: ControlHandler<'setFaults'> = ({ body }, context) => {
  const { rules } = body;
  throwIfInvalid(rules.flatMap((rule, index) => validate(context, rule, `rules[${index}].`)));
  replaceRules(context, rules);
  return { status: 200, body: present(context) };
};

/** @assumes A-1411 */
export const addFault: ControlHandler<'addFault'> = ({ body }, context) => {
  const rules = faultRulesOf(context.world);
  const tooMany = rules.size < MAX_RULES ? [] : [finding('fault.too_many', '')];
  throwIfInvalid([...validate(context, body, ''), ...tooMany]);
  rules.add(body);
  return { status: 201, body: present(context) };
};

/** Requests and deliveries that the former rules held back continue. */
function replaceRules({ world, dispatcher }: ControlContext, rules: readonly FaultRule[]): void {
  faultRulesOf(world).set(rules);
  dispatcher.releaseHeld(world);
}

function validate({ world }: ControlContext, rule: FaultRule, field: string): Finding[] {
  const findings = validateRule(rule, loadDocument('openapi'), field);
  const id = rule.match?.destination;
  if (id !== undefined && !world.tables.webhooks.get(destinationId(id)))
    findings.push(finding('webhook.unknown', `${field}match.destination`));
  return findings;
}

const present = ({ world }: ControlContext) => ({
  rules: faultRulesOf(world).list().map(presentRule),
});

function presentRule({ rule, seen, applied }: FaultRuleState, index: number) {
  return { position: index + 1, seen, applied, ...rule };
}
