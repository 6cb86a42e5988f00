import { finding, refuseAll, violate } from '../domain/rules.ts';
import { type FaultRule, MOST_RULES } from '../http/faults/fault-rule.ts';
import { type FaultRuleState, faultRulesOf } from '../http/faults/fault-rules.ts';
import { judgeRule } from '../http/faults/judge-rule.ts';
import { loadDocument } from '../spec/document.ts';
import type { ControlContext, ControlHandler, ControlReply } from './context.ts';

export const listFaults: ControlHandler<'listFaults'> = (_call, context) => ({
  status: 200,
  body: present(context),
});

/** @assumes A-1411, A-1414 */
export const setFaults: ControlHandler<'setFaults'> = ({ body }, context) => {
  refuseWhereOff(context, 'rules');
  const rules = body.rules as readonly FaultRule[];
  refuseAll(rules.flatMap((rule, index) => judge(rule, `rules[${index}].`)));
  faultRulesOf(context.world).set(rules);
  return { status: 200, body: present(context) };
};

/** @assumes A-1411, A-1414 */
export const addFault: ControlHandler<'addFault'> = ({ body }, context) => {
  refuseWhereOff(context, 'status');
  const rules = faultRulesOf(context.world);
  const rule = body as FaultRule;
  const tooMany = rules.size < MOST_RULES ? [] : [finding('fault.too_many', '')];
  refuseAll([...judge(rule, ''), ...tooMany]);
  rules.add(rule);
  return { status: 201, body: present(context) };
};

export const clearFaults: ControlHandler<'clearFaults'> = (_call, { world }) => {
  faultRulesOf(world).set([]);
  return { status: 204 };
};

function judge(rule: FaultRule, field: string) {
  return judgeRule(rule, loadDocument('openapi'), field);
}

function refuseWhereOff({ settings }: ControlContext, field: string): void {
  if (settings.faults === 'off') violate('fault.off', field);
}

type FaultReport =
  ControlReply<'listFaults'> extends infer R
    ? R extends { readonly status: 200; readonly body: infer B }
      ? B
      : never
    : never;

function present({ world, settings }: ControlContext): FaultReport {
  const rules = faultRulesOf(world).list().map(presentRule);
  return { enabled: settings.faults === 'on', rules } as FaultReport;
}

/** A rule as it was set, with its place and its counts. */
export function presentRule({ rule, seen, applied }: FaultRuleState, index: number) {
  return { position: index + 1, seen, applied, ...rule };
}
