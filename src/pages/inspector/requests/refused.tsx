import { fromMillis } from '../../../domain/instant.ts';
import { refusedRequests } from '../../../http/log/hints.ts';
import { plural } from '../../../text/plural.ts';
import { DataTable } from '../../data-table.tsx';
import { Method, Words } from '../../parts.tsx';
import { Time } from '../../time.tsx';
import { useRequest } from '../inspector-request.ts';

/** The latest requests without a valid key or to no path, with what is wrong with each; nothing if there are none. */
export function RefusedRequests() {
  const refused = refusedRequests(useRequest().control.log);
  if (refused.length === 0) return null;
  return (
    <details id="refused" data-testid="refused">
      <summary>{plural(refused.length, 'refused request')}, of any world</summary>
      <DataTable
        label="Refused requests"
        rows={refused}
        columns={{
          Request: ({ method, path }) => (
            <>
              <Method method={method} /> <Words text={path} />
            </>
          ),
          'What is wrong': ({ hint }) => <Words text={hint} />,
          'Machine time': ({ at }) => <Time as="request" at={fromMillis(at)} />,
        }}
      />
    </details>
  );
}
