import type { ControlHandler } from '../context.ts';
import { findEvent, findFee, nothingNamed } from '../scope.ts';
import { describeEvent } from './event.ts';
import { describeFee } from './fee.ts';
import { formatEvent, formatFee } from './text.ts';

/**
 * Explains fees and usage events by what was true when they were priced: from records that never change and
 * from what was noted at that time.
 */
export const explain: ControlHandler<'explain'> = async ({ path: { id } }, context) => {
  if (!id.startsWith('fee_')) {
    const event = findEvent(context, id) ?? nothingNamed(id, context);
    const body = describeEvent(context, event);
    return { status: 200, body, ...(context.prefersText && { text: formatEvent(body) }) };
  }
  const { event, fee } = (await findFee(context, id)) ?? nothingNamed(id, context);
  const body = describeFee(context, event, fee);
  return { status: 200, body, ...(context.prefersText && { text: formatFee(body) }) };
};
