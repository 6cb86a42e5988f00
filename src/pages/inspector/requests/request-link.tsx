import type { Exchange } from '../../../http/log/exchange.ts';
import { redactorOf } from '../../../http/log/present-exchange.ts';
import { Shortened } from '../../id.tsx';
import { Method } from '../../parts.tsx';
import { useRequest } from '../inspector-request.ts';

/** A link to a request, by its method and path. */
export function RequestLink({ exchange }: { readonly exchange: Exchange }) {
  const { link } = useRequest();
  const { method, path: asked } = exchange.rawRequest;
  const path = redactorOf(exchange)(asked);
  return (
    <>
      <Method method={method} />{' '}
      <a href={link('request', { id: exchange.ordinal })}>
        <code>
          <RequestPath path={path} />
        </code>
      </a>
    </>
  );
}

/** The path of a request with its ids shortened. It wraps between its parts. */
export function RequestPath({ path }: { readonly path: string }) {
  const parts = path.slice(0, MAX_PATH).split(/(?<=.)(?=\/)/);
  return (
    <>
      {parts.map((part, place) => [
        place > 0 && <wbr key={place} />,
        ID.test(part) ? <Shortened text={part} /> : part,
      ])}
    </>
  );
}

const MAX_PATH = 200;

const ID = /^\/(?:[a-z]{3,4}_[0-9a-z]{20,}|[0-9a-f-]{36})$/;
