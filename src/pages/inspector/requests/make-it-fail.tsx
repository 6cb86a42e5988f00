import type { FaultEffect, FaultRule } from '../../../faults/rule.ts';
import { faultRulesOf } from '../../../faults/rules.ts';
import { matchText, scheduleText, textOf } from '../../../faults/text.ts';
import { BadRequest } from '../../../http/input.ts';
import { loadDocument } from '../../../spec/document.ts';
import { Button, Choice, Field, type FormField } from '../../forms.tsx';
import type { ControlCallParts } from '../../page-control.ts';
import { Words } from '../../parts.tsx';
import { numberText } from '../../wording.ts';
import { useRequest } from '../inspector-request.ts';
import { ActionForm } from '../links.tsx';

/** The choices of the menu: what happens, and the effect of the rule. */
const EFFECTS: Readonly<Record<string, FaultEffect>> = {
  '503 Service unavailable': { status: 503 },
  '500 Internal error': { status: 500 },
  '422 Invalid': { status: 422 },
  '404 Not found': { status: 404 },
  'Too many requests': { rate_limit: { limit: 0, period: '30s' } },
  'Two seconds late': { latency: '2s' },
  'Connection reset': { connection: 'reset' },
  'Response cut off': { connection: 'truncated' },
  'Done, but no response': { lost_response: true },
  'Webhook lost': { delivery: 'drop' },
  'Webhook sent twice': { delivery: 'duplicate' },
  'Webhook late': { delivery: 'delay' },
  'Webhooks swapped': { delivery: 'swap' },
  'Webhook answered 500': { delivery: 'status', status: 500 },
};

/** Reads the form of the menu. @throws BadRequest */
export function faultOf(field: FormField): ControlCallParts {
  const effect = Object.hasOwn(EFFECTS, field('effect')) ? EFFECTS[field('effect')] : undefined;
  if (!effect) throw new BadRequest('Choose what happens.');
  const [operation, customer, times] = [field('operation'), field('customer'), field('times')];
  const match = { ...(operation && { operation }), ...(customer && { customer }) };
  return {
    body: {
      ...effect,
      ...(Object.keys(match).length > 0 && { match }),
      ...(times && { times: Number(times) }),
    },
  };
}

/** The menu that makes requests or deliveries fail. @assumes A-1410 */
export function MakeItFail() {
  const operations = [...loadDocument('openapi').operations.keys()].sort();
  return (
    <details class="menu">
      <summary class="button secondary">Make it fail</summary>
      <div class="sheet">
        <ActionForm action="/faults/add">
          <Choice label="What happens" name="effect" options={Object.keys(EFFECTS)} />
          <Choice label="To" name="operation" options={[['', 'any request'], ...operations]} />
          <Field label="Of customer" name="customer" placeholder="any" />
          <Field label="Times" name="times" type="number" value="1" min={1} placeholder="always" />
          <Button isMain>Make it fail</Button>
        </ActionForm>
      </div>
    </details>
  );
}

/** The rules in force, each with a button that removes it; nothing without rules. */
export function FaultRuleList() {
  const { world } = useRequest();
  const rules = faultRulesOf(world).list();
  if (rules.length === 0) return null;
  return (
    <ul class="rows" aria-label="Made to fail">
      {rules.map(({ rule, seen, applied }, place) => (
        <li key={place} class="row" data-testid="fault-rule">
          <span>
            <strong>
              <Words text={rule.name ?? textOf(rule)} />
            </strong>{' '}
            <span class="muted">
              <bdi>{scopeOf(rule)}</bdi>;{' '}
              {seen === 0
                ? 'nothing matched yet'
                : `applied to ${numberText(applied)} of ${numberText(seen)} that matched`}
            </span>
          </span>
          <ActionForm action="/faults/remove" layout="small buttons">
            <Button name="place" value={String(place)}>
              Remove
            </Button>
          </ActionForm>
        </li>
      ))}
    </ul>
  );
}

/** What a rule does to what, and how often, such as `any delivery, at most 3 times`. */
const scopeOf = (rule: FaultRule): string =>
  [rule.name && textOf(rule), matchText(rule), scheduleText(rule)].filter(Boolean).join(', ');
