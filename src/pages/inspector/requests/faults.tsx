import { type FaultRuleState, faultRulesOf } from '../../../faults/rules.ts';
import { matchText, scheduleText, textOf } from '../../../faults/text.ts';
import { loadDocument } from '../../../spec/document.ts';
import type { PageAnswer } from '../../answer.ts';
import { DataTable } from '../../data-table.tsx';
import { Button, Choice, Field, fieldText } from '../../forms.tsx';
import { Section, Words } from '../../parts.tsx';
import { InspectorPage, Live } from '../frame.tsx';
import { type InspectorRequest, useRequest } from '../inspector-request.ts';
import { ActionForm } from '../links.tsx';

/** The page of fault injection. @assumes A-1410 */
export function showFaults(request: InspectorRequest): PageAnswer {
  const isOff = request.control.settings.faults === 'off';
  return (
    <InspectorPage request={request} section="/faults">
      {isOff && <p>Faults are disabled: the setting faults is off.</p>}
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
}

function Rules({ rules }: { readonly rules: readonly FaultRuleState[] }) {
  if (rules.length === 0) return <p>No fault rules.</p>;
  return (
    <>
      <p>
        The first rule that applies to a request takes effect; for a delivery, the first rule of
        each effect.
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
          '#Matched': ({ seen }) => seen,
          '#Applied': ({ applied }) => applied,
          Name: ({ rule }) => <Words text={rule.name} />,
        }}
        testId="fault-rule"
      />
    </>
  );
}

const FIELDS = ['operation', 'customer', 'effect', 'times', 'rules'] as const;

/** The values of a submitted form. `rules` has all rules as JSON. */
type GivenRule = { readonly [F in (typeof FIELDS)[number]]?: string };

/** Returns the values of a refused form, to show them again. */
const givenRule = ({ body }: InspectorRequest): GivenRule =>
  Object.fromEntries(
    FIELDS.map((name) => [name, fieldText(body, name)]).filter(([, text]) => text !== ''),
  );

interface FormProps {
  readonly given: GivenRule;
}

const SUGGESTIONS = [
  'status=500',
  'status=503',
  'status=422',
  'status=404',
  'latency=2s',
  'connection=reset',
  'connection=truncated',
  'rate_limit=30s',
  'lost_response',
  'delivery=duplicate',
  'delivery=swap',
  'delivery=delay',
  'delivery=drop',
  'delivery=status, status=500',
];

function AddRule({ given }: FormProps) {
  const operations = [...loadDocument('openapi').operations.keys()].sort();
  return (
    <Section id="add-fault" title="Add a rule">
      <ActionForm action="/faults/add" layout="line">
        <Choice
          label="Operation"
          name="operation"
          options={[['', 'all'], ...operations]}
          chosen={given.operation}
        />
        <Field label="Customer" name="customer" value={given.customer} placeholder="all" />
        <Field
          label="What happens"
          name="effect"
          value={given.effect}
          placeholder="status=503"
          list="effects"
          required
        />
        <Field
          label="Times"
          name="times"
          value={given.times}
          placeholder="always"
          inputmode="numeric"
          pattern="[0-9]*"
          size={6}
        />
        <Button>Add</Button>
      </ActionForm>
      <datalist id="effects">
        {SUGGESTIONS.map((each) => (
          <option key={each} value={each} />
        ))}
      </datalist>
    </Section>
  );
}

/** A form that replaces all rules, and one that removes them. */
function SetRules({ given }: FormProps) {
  const { world } = useRequest();
  const rules = faultRulesOf(world)
    .list()
    .map(({ rule }) => rule);
  return (
    <Section id="set-faults" title="All rules">
      {rules.length > 0 && (
        <ActionForm action="/faults/clear">
          <Button isSecondary>Remove all</Button>
        </ActionForm>
      )}
      <details open={given.rules !== undefined}>
        <summary>As JSON</summary>
        <ActionForm action="/faults/set">
          <label>
            Rules, in the order in which they are tried
            <textarea name="rules" rows={12} spellcheck={false}>
              {given.rules ?? JSON.stringify(rules, null, 2)}
            </textarea>
          </label>
          <Button isSecondary>Replace all rules</Button>
        </ActionForm>
      </details>
    </Section>
  );
}
