import type { ControlId } from '../../control/context.ts';
import type { Answer } from '../answer.ts';
import { fieldText } from '../card-form.ts';
import { attempt, steer } from './steer.ts';
import type { Visit } from './visit.ts';
import { showWebhooks } from './webhooks.tsx';

export const pauseDeliveries = (visit: Visit) => change(visit, 'pauseDeliveries', {});

export const resumeDeliveries = (visit: Visit) => change(visit, 'resumeDeliveries', {});

export const flushDeliveries = (visit: Visit) => change(visit, 'flushDeliveries');

/** Disturbs the next deliveries to any destination. */
export function disturb(visit: Visit): Promise<Answer> {
  const [kind, count] = ['kind', 'count'].map((name) => fieldText(visit.body, name));
  return change(visit, 'createDisturbance', { kind, count: Number(count) });
}

export const clearDisturbances = (visit: Visit) => change(visit, 'clearDisturbances');

function change(visit: Visit, id: ControlId, body?: object): Promise<Answer> {
  return attempt(
    async () => {
      await steer(visit, id, body ? { body } : {});
      return { location: visit.link('/webhooks') };
    },
    (trouble) => showWebhooks(visit, trouble),
  );
}
