import type { PageAnswer } from '../answer.ts';
import { InspectorPage } from './frame.tsx';
import { DEFAULT_KEY, type InspectorRequest } from './inspector-request.ts';

/** Says that an address leads to nothing in this world, with everything else still in reach. */
export function notHere(request: InspectorRequest): PageAnswer {
  const page = (
    <InspectorPage request={request} section="" title="Page not found">
      <p>
        Nothing is at this address in the world <code>{request.key}</code>. A record may have gone
        with a reset, or stand in another <a href={request.link('/worlds')}>world</a>.
      </p>
    </InspectorPage>
  );
  return { status: 404, page };
}

/** Says that a key opens no world, in the frame of the default world. */
export function wrongKey(request: InspectorRequest, given: string): PageAnswer {
  const page = (
    <InspectorPage request={request} section="/worlds" title="This key is wrong">
      <p role="alert" class="alert">
        <code>{given.slice(0, MOST_KEY)}</code> opens no world. A key is <code>key_test_</code> or{' '}
        <code>key_live_</code> with the name of a sandbox: small letters, digits and hyphens, such
        as <code>{DEFAULT_KEY}</code>.
      </p>
      <p>
        <a href={request.link('/worlds')}>The worlds that are open</a>
      </p>
    </InspectorPage>
  );
  return { status: 404, page };
}

const MOST_KEY = 100;
