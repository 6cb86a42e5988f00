import type { Exchange } from '../../../http/log/exchange.ts';
import { redactorOf } from '../../../http/log/present-exchange.ts';
import { TableSection } from '../../data-table.tsx';
import { Shortened } from '../../id.tsx';
import { Method } from '../../parts.tsx';
import { type InspectorRequest, useRequest } from '../inspector-request.ts';

/** Only the latest requests are searched. */
const MAX_REQUESTS = 2_000;
const MAX_SHOWN = 20;

interface TouchProps {
  readonly table: string;
  readonly id: string;
}

/** The requests in the log that created or changed a record, newest first. */
export function RequestsBehind({ table, id }: TouchProps) {
  const request = useRequest();
  const rows = touching(request, table, id);
  if (rows.length === 0) return null;
  return (
    <TableSection
      id="origin"
      title="Caused by requests"
      rows={rows}
      most={MAX_SHOWN}
      time={{ of: ({ exchange }) => exchange.at, as: 'request', isDated: true }}
      columns={{
        Request: ({ exchange }) => <RequestLink exchange={exchange} />,
        Effect: ({ effect }) => effect,
      }}
    />
  );
}

function touching({ control, world }: InspectorRequest, table: string, id: string) {
  return control.requests
    .list(world)
    .slice(0, MAX_REQUESTS)
    .flatMap((exchange) => {
      const change = exchange.changes.find((each) => each.table === table && each.id === id);
      if (!change) return [];
      const effect = change.after ? 'changed it' : 'removed it';
      return [{ exchange, effect: change.before ? effect : 'made it' }];
    });
}

/** A link to a request, by its method and path. */
export function RequestLink({ exchange }: { readonly exchange: Exchange }) {
  const { link } = useRequest();
  const { method, path: asked } = exchange.rawRequest;
  const path = redactorOf(exchange)(asked);
  return (
    <>
      <Method method={method} />{' '}
      <a href={link('request', { id: exchange.ordinal })}>
        <bdi class="line-of-code">
          {path
            .slice(0, MAX_PATH)
            .split(/(?<=.)(?=\/)/)
            .map((part, place) => [
              place > 0 && <wbr />,
              ID.test(part) ? <Shortened text={part} /> : part,
            ])}
        </bdi>
      </a>
    </>
  );
}

const MAX_PATH = 200;
const ID = /^\/(?:[a-z]{3,4}_[0-9a-z]{20,}|[0-9a-f-]{36})$/;
