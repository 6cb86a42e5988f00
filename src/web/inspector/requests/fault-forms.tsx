import type { VNode } from 'preact';
import { faultRulesOf } from '../../../faults/fault-rules.ts';
import { loadDocument } from '../../../spec/document.ts';
import { fieldText } from '../../hosted/card-form.ts';
import { Section } from '../../parts.tsx';
import type { InspectorRequest } from '../inspector-request.ts';

const FIELDS = ['operation', 'customer', 'effect', 'times', 'rules'] as const;

/** What a form about faults was sent with; `rules` are all rules, as JSON. */
type GivenRule = { readonly [F in (typeof FIELDS)[number]]?: string };

/** What of a refused form is shown again. */
export const givenRule = ({ body }: InspectorRequest): GivenRule =>
  Object.fromEntries(
    FIELDS.map((name) => [name, fieldText(body, name)]).filter(([, text]) => text !== ''),
  );

interface FormProps {
  readonly request: InspectorRequest;
  readonly given: GivenRule;
}

/** Effects that are often wanted. */
const SUGGESTIONS = [
  'status=500',
  'status=503',
  'status=422',
  'status=404',
  'latency=2s',
  'latency=100ms..2s',
  'connection=reset',
  'connection=truncated',
  'rate_limit=30s',
  'lost_response',
  'delivery=duplicate',
  'delivery=swap',
  'delivery=delay',
  'delivery=drop',
  'delivery=bad_signature',
  'delivery=stale_timestamp',
  'delivery=reserialised_body',
  'delivery=old_secret_only',
];

/** Adds one rule in a line. */
export function AddRule({ request, given }: FormProps): VNode {
  return (
    <Section id="add-fault" title="Add a rule">
      <form method="post" action={request.link('/faults/add')} class="line">
        <label>
          Operation
          <select name="operation">
            <option value="">all</option>
            {[...loadDocument('openapi').operations.keys()].sort().map((id) => (
              <option key={id} selected={id === given.operation}>
                {id}
              </option>
            ))}
          </select>
        </label>
        <label>
          Customer
          <input name="customer" value={given.customer} placeholder="all" autocomplete="off" />
        </label>
        <label>
          What happens
          <input
            name="effect"
            value={given.effect}
            placeholder="status=503"
            list="effects"
            autocomplete="off"
            required
          />
        </label>
        <label>
          Times
          <input
            name="times"
            value={given.times}
            placeholder="always"
            inputmode="numeric"
            pattern="[0-9]*"
            size={6}
            autocomplete="off"
          />
        </label>
        <button type="submit">Add</button>
      </form>
      <datalist id="effects">
        {SUGGESTIONS.map((each) => (
          <option key={each} value={each} />
        ))}
      </datalist>
    </Section>
  );
}

/** Puts all rules in place at once, or takes all away. */
export function SetRules({ request, given }: FormProps): VNode {
  const rules = faultRulesOf(request.world)
    .list()
    .map(({ rule }) => rule);
  return (
    <Section id="set-faults" title="All rules">
      {rules.length > 0 && (
        <form method="post" action={request.link('/faults/clear')}>
          <button type="submit" class="secondary">
            Remove all
          </button>
        </form>
      )}
      <details open={given.rules !== undefined}>
        <summary>As JSON</summary>
        <form method="post" action={request.link('/faults/set')}>
          <label>
            The rules in the order in which they are tried
            <textarea name="rules" rows={12} spellcheck={false} class="code">
              {given.rules ?? JSON.stringify(rules, null, 2)}
            </textarea>
          </label>
          <button type="submit" class="secondary">
            Replace the rules
          </button>
        </form>
      </details>
    </Section>
  );
}
