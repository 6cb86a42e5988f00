import type { ControlReply } from '../../../control/context.ts';
import type { World } from '../../../store/world.ts';
import { Amount } from '../../amount.tsx';
import type { PageAnswer } from '../../answer.ts';
import { DataTable } from '../../data-table.tsx';
import { Button, Field } from '../../forms.tsx';
import { Facts, Notice, Section } from '../../parts.tsx';
import { Time } from '../../time.tsx';
import { InspectorPage, Live } from '../frame.tsx';
import { type InspectorRequest, useRequest } from '../inspector-request.ts';
import { ActionForm, CustomerLink } from '../links.tsx';
import { About, Agenda } from './agenda.tsx';

type Advance = Extract<ControlReply<'advanceClock'>, { status: 200 }>['body'];

const latest = new WeakMap<World, Advance>();

/** Stores the result of an advance, for the page after it. */
export function noteAdvance(
  { world }: InspectorRequest,
  { body }: { readonly body?: unknown },
): void {
  if (body && typeof body === 'object' && 'items' in body) latest.set(world, body as Advance);
}

const STEPS = { 'An hour': 'PT1H', 'A day': 'P1D', 'A week': 'P1W', 'A month': 'P1M' } as const;

/** The page of the clock: the time, the forms that move it, and the agenda. @assumes A-1301 */
export function showClock(request: InspectorRequest): PageAnswer {
  const { world, control } = request;
  const advance = request.query('done') === '' ? undefined : latest.get(world);
  return (
    <InspectorPage request={request} section="/clock">
      <Live id="time">
        <Facts
          facts={{
            Now: (
              <strong data-testid="now">
                <Time as="exact" at={world.now} />
              </strong>
            ),
            Mode: world.clock.state.mode,
            'Next due': <Time as="exact" at={control.clocks.nextDue(world)} none="nothing" />,
            Moving: control.clocks.isMoving(world) && 'yes',
          }}
        />
      </Live>
      {!request.isReadOnly && <Controls />}
      {advance && <Done advance={advance} />}
      <Agenda />
    </InspectorPage>
  );
}

function Controls() {
  const { world, link } = useRequest();
  const { mode } = world.clock.state;
  return (
    <Section id="advance" title="Advance">
      <ActionForm action="/clock/advance" layout="buttons">
        {Object.entries(STEPS).map(([name, by]) => (
          <Button key={by} isSecondary name="by" value={by}>
            {name}
          </Button>
        ))}
        <Button isSecondary name="until" value="next">
          To the next due item
        </Button>
      </ActionForm>
      <ActionForm action="/clock/advance" layout="line">
        <Field label="To (UTC)" name="to" placeholder="2026-02-01T00:00:00Z" required />
        <Button>Advance</Button>
      </ActionForm>
      <p class="hint">
        You can undo an advance from <a href={link('/snapshots')}>Snapshots</a>.
      </p>
      <ActionForm action="/clock/mode" layout="buttons">
        {Object.entries(MODE_TEXTS).map(([name, text]) => (
          <Button key={name} isSecondary name="mode" value={name} disabled={name === mode}>
            {text}
          </Button>
        ))}
      </ActionForm>
    </Section>
  );
}

const MODE_TEXTS = {
  real: "Follow the machine's clock",
  frozen: 'Freeze',
  offset: 'Run from here',
} as const;

const workText = (count: number): string =>
  count === 1 ? '1 due item was run' : `${count.toLocaleString('en')} due items were run`;

function Done({ advance }: { readonly advance: Advance }) {
  const { from, now, total_count, items } = advance;
  return (
    <Section id="done" title="What happened">
      <Notice text={`From ${from} to ${now}: ${workText(total_count)}.`} />
      {items.length > 0 && (
        <DataTable
          label="What happened"
          rows={items}
          most={MAX_ITEMS}
          columns={{
            '^When': ({ at }) => <Time as="exact" at={at} />,
            What: ({ kind, outcome }) => [
              kind.replaceAll('_', ' '),
              outcome !== undefined && `: ${outcome}`,
            ],
            Customer: ({ customer_id }) => <CustomerLink id={customer_id} />,
            About: (item) => <About item={item} />,
            '#Fee': ({ fee }) => fee && <Amount amount={String(fee.amount)} asset={fee.currency} />,
            Movements: ({ owner, movements }) =>
              movements.map(({ transaction_id, account_id, ...moved }) => (
                <div key={transaction_id}>
                  {account_id}{' '}
                  <Amount
                    isSigned
                    {...moved}
                    amount={String(moved.amount)}
                    {...(owner && { owner })}
                  />
                </div>
              )),
          }}
        />
      )}
    </Section>
  );
}

const MAX_ITEMS = 100;
