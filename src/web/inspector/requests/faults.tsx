import type { VNode } from 'preact';
import { textOf } from '../../../http/faults/effect-text.ts';
import type { FaultRule } from '../../../http/faults/fault-rule.ts';
import { type FaultRuleState, faultRulesOf } from '../../../http/faults/fault-rules.ts';
import type { PageAnswer } from '../../answer.ts';
import { DataTable } from '../../data-table.tsx';
import { Words } from '../../parts.tsx';
import { InspectorPage, Live } from '../frame.tsx';
import type { InspectorRequest } from '../inspector-request.ts';
import { AddRule, givenRule, SetRules } from './fault-forms.tsx';

/** What goes wrong on purpose in this world. @assumes A-1410 */
export function showFaults(request: InspectorRequest): PageAnswer {
  const isOff = request.options.settings.faults === 'off';
  const page = (
    <InspectorPage request={request} section="/faults">
      {isOff && <p>Faults are turned off by the setting faults.</p>}
      <Live request={request} id="fault-rules">
        <Rules rules={faultRulesOf(request.world).list()} />
      </Live>
      {!request.isReadOnly && !isOff && (
        <>
          <AddRule request={request} given={givenRule(request)} />
          <SetRules request={request} given={givenRule(request)} />
        </>
      )}
    </InspectorPage>
  );
  return { page };
}

function Rules({ rules }: { readonly rules: readonly FaultRuleState[] }): VNode {
  if (rules.length === 0) return <p>Nothing goes wrong on purpose.</p>;
  return (
    <>
      <p>A request meets the first rule that is applied to it.</p>
      <DataTable
        label="Fault rules"
        rows={rules}
        columns={{
          '#Order': (_, place) => place + 1,
          Requests: ({ rule }) => <Words text={matchText(rule)} />,
          'What happens': ({ rule }) => <Words text={effectText(rule)} />,
          When: ({ rule }) => timesText(rule),
          '#Seen': ({ seen }) => seen,
          '#Applied': ({ applied }) => applied,
          Name: ({ rule }) => <Words text={rule.name} />,
        }}
        testId="fault-rule"
      />
    </>
  );
}

function matchText({ match = {} }: FaultRule): string {
  const { headers = {}, ...parts } = match;
  const conditions = [...Object.entries(parts), ...Object.entries(headers)];
  return conditions.map(([name, value]) => `${name}: ${value}`).join(', ') || 'all';
}

function effectText(rule: FaultRule): string {
  const { rate_limit } = rule;
  if (!rate_limit) return textOf(rule);
  return `at most ${rate_limit.limit} in ${rate_limit.period}`;
}

function timesText({ skip, every, times, probability }: FaultRule): string {
  const parts = [
    skip !== undefined && `after ${skip}`,
    every !== undefined && `every ${every}.`,
    probability !== undefined && `with a chance of ${probability}`,
    times !== undefined && `${times} times`,
  ];
  return parts.filter((part) => part !== false).join(', ') || 'always';
}
