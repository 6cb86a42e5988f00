import { countRecords, presentWorld } from '../../control/worlds/state.ts';
import { parseKey } from '../../store/worlds.ts';
import { Button } from '../forms.tsx';
import { Sentence } from '../id.tsx';
import { capitalized } from '../wording.ts';
import { type InspectorRequest, useRequest } from './inspector-request.ts';
import { ActionForm } from './links.tsx';
import { differenceText } from './time/snapshots.tsx';

/** What an action did, by the value of `done` in the URL. */
const DONE: Readonly<Record<string, string>> = {
  clock: 'The mode of the clock is changed.',
  deleted: 'The snapshot is deleted.',
  filled: 'Customers and their traffic were added.',
  rules: 'The rules for requests and deliveries are changed.',
  saved: 'The snapshot is saved.',
  sent: 'It was sent again.',
  undone: 'The world has its earlier state again.',
};

/** What the action before this page did, and how it is undone; undefined if it did nothing. */
function messageOf(request: InspectorRequest): MessageProps | undefined {
  const { world, control, query, formError } = request;
  const [done, key] = [query('done'), query('closed')];
  if (key !== '') {
    // A closed world returns by its own key.
    const closed = parseKey(key);
    if (!closed || control.worlds.sandboxes().includes(closed.sandbox)) return undefined;
    const { sandbox } = closed;
    const undo = control.worldManager.former(closed) && `the closing of ${sandbox}`;
    return { text: `The world ${sandbox} is closed.`, undo, parameters: { key } };
  }
  if (done === 'replaced') {
    const former = control.worldManager.former(world);
    if (!former) return undefined;
    const difference = differenceText(countRecords(former.image), presentWorld(world).records);
    const text = `Done: ${former.ended_by}. ${capitalized(difference)}.`;
    return { text, undo: `the ${former.ended_by}` };
  }
  const text = Object.hasOwn(DONE, done) ? DONE[done] : undefined;
  return text === undefined || formError !== undefined ? undefined : { text };
}

interface MessageProps {
  readonly text: string;
  /** What can be undone, in words; absent if nothing can. */
  readonly undo?: string | undefined;
  readonly parameters?: Parameters<InspectorRequest['link']>[1];
}

/** What the action before this page did. One that replaced the state of a world can be undone here. */
export function Toast() {
  const message = messageOf(useRequest());
  if (!message) return null;
  const { text, undo, parameters } = message;
  return (
    <div class="toast">
      <p role="status" data-testid="notice">
        <Sentence text={text} />
      </p>
      {undo !== undefined && (
        <ActionForm action="/time/undo" parameters={parameters}>
          <Button>
            Undo{' '}
            <span class="hidden">
              <Sentence text={undo} />
            </span>
          </Button>
        </ActionForm>
      )}
    </div>
  );
}
