import type { VNode } from 'preact';
import { type FaultRuleState, faultRulesOf } from '../../../faults/fault-rules.ts';
import { matchText, scheduleText, textOf } from '../../../faults/fault-text.ts';
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
      <Live id="fault-rules">
        <Rules rules={faultRulesOf(request.world).list()} />
      </Live>
      {!request.isReadOnly && !isOff && (
        <>
          <AddRule given={givenRule(request)} />
          <SetRules given={givenRule(request)} />
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
      <p>
        A request meets the first rule that is applied to it, a delivery the first of each effect.
      </p>
      <DataTable
        label="Fault rules"
        rows={rules}
        columns={{
          What: ({ rule }, place) => (
            <>
              {place + 1}. <Words text={matchText(rule)} />
            </>
          ),
          'What happens': ({ rule }) => <Words text={textOf(rule)} />,
          When: ({ rule }) => scheduleText(rule) || 'always',
          '#Seen': ({ seen }) => seen,
          '#Applied': ({ applied }) => applied,
          Name: ({ rule }) => <Words text={rule.name} />,
        }}
        testId="fault-rule"
      />
    </>
  );
}
