import { expect, it } from 'vitest';
import { PREFIXES } from '../../state/ids.ts';
import { tokensIn } from './known-values.ts';

it.each(Object.values(PREFIXES))(
  'tokensIn finds identifiers with the prefix %s anywhere in a text',
  (prefix) => {
    const id = `${prefix}_4vyn496mbpnc5f8vm0kg8d7ksy`;

    expect(tokensIn(`see ${id}:chat, or ${id}`)).toEqual([id, id]);
  },
);

it('tokensIn does not take words with an underscore for identifiers', () => {
  expect(tokensIn('top_up_required, pay_each_time, evt_handler')).toEqual([]);
});
