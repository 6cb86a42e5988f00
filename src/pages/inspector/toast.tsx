import { presentWorld } from '../../control/worlds/present-world.ts';
import { parseKey } from '../../store/worlds.ts';
import { Button } from '../forms.tsx';
import { Sentence } from '../id.tsx';
import { type InspectorRequest, useRequest } from './inspector-request.ts';
import { ActionForm } from './links.tsx';
import { changesSince } from './time/snapshots.tsx';

/** What an action did, by the value of `done` in the URL. */
const DONE: Readonly<Record<string, string>> = {
  deleted: 'The snapshot is deleted.',
  filled: 'Customers and their traffic were added.',
  rules: 'The rules for requests and deliveries are changed.',
  saved: 'The snapshot is saved.',
  sent: 'It was sent again.',
  undone: 'The world has its earlier state again.',
};

/** What the action before this page did. One that replaced the state of a world can be undone here. */
export function Toast() {
  const request = useRequest();
  const [done, closed] = [request.query('done'), request.query('closed')];
  if (closed !== '') return <Closed worldKey={closed} />;
  if (done === 'replaced') return <Replaced />;
  const text = Object.hasOwn(DONE, done) ? DONE[done] : undefined;
  return text === undefined || request.formError !== undefined ? null : <Message text={text} />;
}

function Replaced() {
  const { world, control } = useRequest();
  const former = control.life.former(world);
  if (!former) return null;
  return (
    <Message
      text={`Done: ${former.ended_by}. ${changesSince(former.image, presentWorld(world).records)}.`}
      undo={`Undo the ${former.ended_by}`}
    />
  );
}

/** A closed world returns by its own key. */
function Closed({ worldKey: key }: { readonly worldKey: string }) {
  const { control } = useRequest();
  const sandbox = parseKey(key)?.sandbox;
  if (sandbox === undefined || control.worlds.sandboxes().includes(sandbox)) return null;
  return <Message text={`The world ${sandbox} is closed.`} undo="Undo" parameters={{ key }} />;
}

interface MessageProps {
  readonly text: string;
  /** The accessible name of the button that undoes it; absent if it cannot be undone. */
  readonly undo?: string;
  readonly parameters?: Parameters<InspectorRequest['link']>[1];
}

function Message({ text, undo, parameters }: MessageProps) {
  return (
    <div class="toast">
      <p role="status" data-testid="notice">
        <Sentence text={text} />
      </p>
      {undo !== undefined && (
        <ActionForm action="/time/undo" parameters={parameters}>
          <Button isSecondary aria-label={undo}>
            Undo
          </Button>
        </ActionForm>
      )}
    </div>
  );
}
