import { expect, it } from 'vitest';
import { PREFIXES } from '../../state/ids.ts';
import { tokensIn } from './known-values.ts';

it.each(Object.values(PREFIXES))(
  'knows an identifier that begins with %s wherever it stands',
  (prefix) => {
    const id = `${prefix}_4vyn496mbpnc5f8vm0kg8d7ksy`;

    expect(tokensIn(`see ${id}:chat, or ${id}`)).toEqual([id, id]);
  },
);

it('takes no word with an underscore for an identifier', () => {
  expect(tokensIn('top_up_required, pay_each_time, evt_handler')).toEqual([]);
});
