import type { ControlId } from '../../../control/context.ts';
import type { PageAnswer } from '../../answer.ts';
import { fieldText } from '../../hosted/card-form.ts';
import type { InspectorRequest } from '../inspector-request.ts';
import { runControlOperation, tryAction } from '../run-control-operation.ts';
import { showWebhooks } from './webhooks.tsx';

export const pauseDeliveriesAction = (visit: InspectorRequest) =>
  change(visit, 'pauseDeliveries', {});

export const resumeDeliveriesAction = (visit: InspectorRequest) =>
  change(visit, 'resumeDeliveries', {});

export const flushDeliveriesAction = (visit: InspectorRequest) => change(visit, 'flushDeliveries');

/** Disturbs the next deliveries to any destination. */
export function disturbAction(visit: InspectorRequest): Promise<PageAnswer> {
  const [kind, count] = ['kind', 'count'].map((name) => fieldText(visit.body, name));
  return change(visit, 'createDisturbance', { kind, count: Number(count) });
}

export const clearDisturbancesAction = (visit: InspectorRequest) =>
  change(visit, 'clearDisturbances');

function change(visit: InspectorRequest, id: ControlId, body?: object): Promise<PageAnswer> {
  return tryAction(
    async () => {
      await runControlOperation(visit, id, body ? { body } : {});
      return { location: visit.link('/webhooks') };
    },
    (trouble) => showWebhooks(visit, trouble),
  );
}
