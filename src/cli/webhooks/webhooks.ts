import type { VerbGroup } from '../verb.ts';
import { addWebhooksCheck } from './webhooks-check.ts';

/** `billing-emulator webhooks`: checks receivers. */
export const webhookVerbs: VerbGroup = {
  usage: 'webhooks',
  about: 'Check a receiver of webhooks',
  verbs: [addWebhooksCheck],
};
