import { rowsOf } from '../../../store/query/rows-of.ts';
import type { EventRow, WarningRow } from '../../../store/records.ts';
import { uuidKey } from '../../../store/schema.ts';
import type { InspectorRequest } from '../inspector-request.ts';

type ByEvent = ReadonlyMap<string, readonly WarningRow[]>;

/** Only the latest warnings are looked at. */
const MAX_WARNINGS = 5_000;

const known = new WeakMap<InspectorRequest, ByEvent>();

/** The warnings about usage events, by the keys of these. They are read once for each page. */
function warningsByEvent(request: InspectorRequest): ByEvent {
  const found = known.get(request);
  if (found) return found;
  const byEvent = new Map<string, WarningRow[]>();
  for (const warning of rowsOf(request.world.tables.warnings).slice(-MAX_WARNINGS)) {
    if (warning.event_id === undefined) continue;
    const id = uuidKey(warning.owner, warning.event_id);
    byEvent.set(id, [...(byEvent.get(id) ?? []), warning]);
  }
  known.set(request, byEvent);
  return byEvent;
}

/** The warnings about a usage event: it was accepted but is probably a mistake. @assumes A-1402 */
export const warningsOf = (request: InspectorRequest, { id }: EventRow): readonly WarningRow[] =>
  warningsByEvent(request).get(id) ?? [];
