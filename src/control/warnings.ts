import { omitNullish } from '../domain/fields.ts';
import { newestFirst } from '../resources/paging.ts';
import { levelOf } from '../resources/warnings.ts';
import { listed } from '../store/query.ts';
import type { WarningRow } from '../store/records.ts';
import type { ControlContext, ControlHandler } from './context.ts';
import { rowsInScope } from './scope.ts';

export const listWarnings: ControlHandler<'listWarnings'> = ({ query }, context) => ({
  status: 200,
  body: newestFirst(listed(warningsOf(context, query.kind)), query, presentWarning),
});

function warningsOf(
  context: ControlContext,
  kind: WarningRow['kind'] | undefined,
): readonly WarningRow[] {
  const warnings = rowsInScope(context, context.world.tables.warnings);
  return kind === undefined ? warnings : warnings.filter((warning) => warning.kind === kind);
}

export function presentWarning({ kind, message, at, owner, event_id, field }: WarningRow) {
  return { kind, level: levelOf(kind), message, at, owner, ...omitNullish({ event_id, field }) };
}
