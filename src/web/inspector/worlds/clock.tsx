import type { VNode } from 'preact';
import type { ControlReply } from '../../../control/context.ts';
import { type AgendaItem, agendaOf } from '../../../jobs/agenda.ts';
import type { World } from '../../../state/world.ts';
import type { PageAnswer } from '../../answer.ts';
import { Alert, DataTable } from '../../sections.tsx';
import { InspectorPage, Live } from '../frame.tsx';
import type { InspectorRequest } from '../inspector-request.ts';
import { CustomerLink, Facts, Notice, Part, WorldTime } from '../parts.tsx';

type Advance = Extract<ControlReply<'advanceClock'>, { status: 200 }>['body'];

/** What the latest advance of each world did, to be shown after it. */
const latest = new WeakMap<World, Advance>();

/** Keeps what an advance did, for the page that is shown after it. */
export function noteAdvance(
  { world }: InspectorRequest,
  { body }: { readonly body?: unknown },
): void {
  if (body && typeof body === 'object' && 'items' in body) latest.set(world, body as Advance);
}

/** Steps that a button takes. */
const STEPS = { 'An hour': 'PT1H', 'A day': 'P1D', 'A week': 'P1W', 'A month': 'P1M' } as const;

/** The time of the world, what moves it, and what lies ahead. @assumes A-1301 */
export function showClock(request: InspectorRequest, trouble?: string): PageAnswer {
  const { world, control } = request;
  const advance = request.query('done') === '' ? undefined : latest.get(world);
  const page = (
    <InspectorPage request={request} section="/clock">
      {trouble !== undefined && <Alert text={trouble} />}
      <Live request={request} id="time">
        <Facts
          facts={{
            Now: (
              <strong data-testid="now">
                <WorldTime at={world.now} />
              </strong>
            ),
            Mode: world.clock.state.mode,
            'Next due': <WorldTime at={control.clocks.nextDue(world)} none="nothing" />,
            Moving: control.clocks.isMoving(world) ? 'yes' : 'no',
          }}
        />
      </Live>
      {!request.isReadOnly && <Controls request={request} />}
      {advance && <Done request={request} advance={advance} />}
      <Agenda request={request} />
    </InspectorPage>
  );
  return { page };
}

function Controls({ request }: { readonly request: InspectorRequest }): VNode {
  const { mode } = request.world.clock.state;
  return (
    <Part id="advance" title="Advance">
      <form method="post" action={request.link('/clock/advance')} class="buttons">
        {Object.entries(STEPS).map(([name, by]) => (
          <button key={by} type="submit" name="by" value={by}>
            {name}
          </button>
        ))}
        <button type="submit" name="until" value="next">
          To what is due next
        </button>
      </form>
      <form method="post" action={request.link('/clock/advance')} class="line">
        <label>
          To (UTC)
          <input name="to" placeholder="2026-02-01T00:00:00Z" autocomplete="off" required />
        </label>
        <button type="submit">Advance</button>
      </form>
      <form method="post" action={request.link('/clock/mode')} class="buttons">
        {(['real', 'frozen', 'offset'] as const).map((name) => (
          <button
            key={name}
            type="submit"
            class="secondary"
            name="mode"
            value={name}
            disabled={name === mode}
          >
            {MODE_TEXTS[name]}
          </button>
        ))}
      </form>
    </Part>
  );
}

const MODE_TEXTS = {
  real: "Show the machine's time",
  frozen: 'Stand still',
  offset: 'Run on from here',
} as const;

function Done({
  request,
  advance,
}: {
  readonly request: InspectorRequest;
  readonly advance: Advance;
}): VNode {
  return (
    <Part id="done" title="What happened">
      <Notice
        text={`From ${advance.from} to ${advance.now}: ${advance.total_count} due items were done.`}
      />
      {advance.items.length > 0 && (
        <DataTable label="What happened" headings={['When', 'What', 'About', 'Movements']}>
          {advance.items.slice(0, MOST_ITEMS).map((item, place) => (
            <tr key={place}>
              <td>
                <WorldTime at={item.at} />
              </td>
              <td>
                {item.kind.replaceAll('_', ' ')}
                {item.outcome !== undefined && `: ${item.outcome}`}
              </td>
              <td>
                <About request={request} item={item} />
              </td>
              <td>
                {item.movements
                  .map(({ account_id, amount, asset }) => `${account_id}: ${amount} ${asset}`)
                  .join(', ')}
              </td>
            </tr>
          ))}
        </DataTable>
      )}
    </Part>
  );
}

const MOST_ITEMS = 100;

function Agenda({ request }: { readonly request: InspectorRequest }): VNode {
  const { world, control } = request;
  const attempts = control.clocks.scheduledAttempts(world);
  const agenda = agendaOf(world, attempts, { offset: 0, limit: MOST_ITEMS });
  return (
    <Part id="agenda" title="Agenda">
      <Live request={request} id="agenda-list">
        {agenda.items.length === 0 ? (
          <p>Nothing is scheduled.</p>
        ) : (
          <DataTable label="Agenda" headings={['When', 'What', 'About']}>
            {agenda.items.map((item, place) => (
              <tr key={place}>
                <td>
                  <WorldTime at={item.at} />
                </td>
                <td>{item.kind.replaceAll('_', ' ')}</td>
                <td>
                  <About request={request} item={item} />
                </td>
              </tr>
            ))}
          </DataTable>
        )}
        {agenda.total_count > agenda.items.length && (
          <p>
            The first {agenda.items.length} of {agenda.total_count}.
          </p>
        )}
      </Live>
    </Part>
  );
}

interface AboutProps {
  readonly request: InspectorRequest;
  readonly item: Partial<AgendaItem> | Advance['items'][number];
}

/** What an item is about: every identifier it holds. */
function About({ request, item }: AboutProps): VNode {
  const ids = Object.entries(item).filter(
    ([name, value]) => typeof value === 'string' && /(_id|^asset|^attempt)$/.test(name),
  );
  return (
    <>
      {ids.map(([name, value]) => (
        <div key={name}>
          {name.replace(/_id$/, '').replaceAll('_', ' ')}{' '}
          {name === 'customer_id' ? (
            <CustomerLink request={request} id={String(value)} />
          ) : (
            <code>{String(value)}</code>
          )}
        </div>
      ))}
    </>
  );
}
