import type { Verb } from '../verb.ts';

/** `billing-emulator explain <id>`: how the cost of a fee or usage event was calculated. */
export const explainVerb: Verb = {
  usage: 'explain <id>',
  about: 'Explain a fee (fee_…) or a usage event, given its id',
  async run(client, { args: [id = ''], flags }) {
    const headers = { Accept: flags['json'] ? 'application/json' : 'text/plain' };
    const text = await client.read('explain', { path: { id }, headers });
    return { json: text, text };
  },
};
