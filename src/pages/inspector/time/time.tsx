import type { World } from '../../../store/world.ts';
import type { PageAnswer } from '../../answer.tsx';
import { Button, Field, fieldText } from '../../forms.tsx';
import { Facts, Section } from '../../parts.tsx';
import { Time } from '../../time.tsx';
import { InspectorPage, Live } from '../frame.tsx';
import { type InspectorRequest, useRequest } from '../inspector-request.ts';
import { ActionForm } from '../links.tsx';
import { ClockSteps } from '../top-bar.tsx';
import { type AdvanceReply, AdvanceReport } from './advance-report.tsx';
import { Agenda } from './agenda.tsx';
import { Resets, Snapshots, WorldFiles } from './snapshots.tsx';

const latest = new WeakMap<World, AdvanceReply>();

/** Stores the result of an advance or of its preview, for the page after it. */
export function noteAdvance(
  { world }: InspectorRequest,
  { body }: { readonly body?: unknown },
): void {
  if (body && typeof body === 'object' && 'items' in body) latest.set(world, body as AdvanceReply);
}

/** The page of time: the clock, what is scheduled, snapshots and resets. @assumes A-1301, A-1406 */
export function showTime(request: InspectorRequest): PageAnswer {
  const { world, control } = request;
  const advance = request.query('report') === '' ? undefined : latest.get(world);
  return (
    <InspectorPage request={request} section="time" actions={<ModeButtons />}>
      <Live id="time">
        <Facts
          areFigures
          facts={{
            Now: (
              <span data-testid="now">
                <Time as="exact" at={world.now} />
              </span>
            ),
            Clock: MODES[world.clock.state.mode][0],
            'Next due': <Time as="exact" at={control.clocks.nextDue(world)} none="nothing" />,
            Moving: control.clocks.isMoving(world) && 'yes',
          }}
        />
      </Live>
      <Controls />
      {advance && <AdvanceReport advance={advance} />}
      <div class="columns">
        <Live id="agenda-list">
          <Agenda />
        </Live>
        <div>
          <Snapshots />
          <Resets />
          <WorldFiles />
        </div>
      </div>
    </InspectorPage>
  );
}

/** Buttons that let the clock run or stop. */
function ModeButtons() {
  const { mode } = useRequest().world.clock.state;
  return (
    <ActionForm action="/time/mode" layout="buttons">
      {Object.entries(MODES).map(([name, [, text]]) => (
        <Button key={name} name="mode" value={name} disabled={name === mode}>
          {text}
        </Button>
      ))}
    </ActionForm>
  );
}

/** What the clock is in each mode, and the button that chooses it. */
const MODES = {
  real: ["the machine's", "Follow the machine's clock"],
  frozen: ['frozen', 'Freeze'],
  offset: ['running with an offset', 'Run from here'],
} as const;

/** The form of an advance. Enter in its field presses the first button, which sends no step. */
function Controls() {
  const { formError, body, query } = useRequest();
  return (
    <Section id="advance" title="Advance">
      <ActionForm action="/time/advance" layout="line">
        <Field
          label="To (UTC)"
          name="to"
          value={formError === undefined ? query('to') : fieldText(body, 'to')}
          placeholder="2026-02-01T00:00:00Z"
        />
        <Button isMain>Advance</Button>
        <ClockSteps />
        <label>
          <input type="checkbox" name="preview" value="1" /> Only preview
        </label>
      </ActionForm>
    </Section>
  );
}
