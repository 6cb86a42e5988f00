import { show } from './expectations.ts';
import type { BalanceExpectation, Place, Problem } from './scenario.ts';
import { type ScenarioRun, type ScenarioTarget, wait } from './scenario-target.ts';

interface Wallet {
  readonly accounts?: readonly { readonly id: string; readonly available: number }[];
}

/** Asks the wallets and answers which balances are not as expected. */
export function* judgeBalances(
  expected: BalanceExpectation | readonly BalanceExpectation[],
  place: Place,
  target: ScenarioTarget,
): ScenarioRun<readonly Problem[]> {
  const isList = Array.isArray(expected);
  const list = [expected].flat() as readonly BalanceExpectation[];
  const found: Problem[] = [];
  for (const [index, wanted] of list.entries())
    found.push(...(yield* judgeWallet(wanted, isList ? [...place, index] : place, target)));
  return found;
}

function* judgeWallet(
  { customer, account, accounts }: BalanceExpectation,
  place: Place,
  target: ScenarioTarget,
): ScenarioRun<readonly Problem[]> {
  const request = { call: 'getWallet', path: { customerId: customer }, account };
  const { status, body } = yield* wait(target.send(request));
  if (status !== 200)
    return [{ place: [...place, 'customer'], message: `There is no customer ${customer}.` }];
  const held = new Map((body as Wallet).accounts?.map(({ id, available }) => [id, available]));
  return Object.entries(accounts).flatMap(([name, amount]) => {
    const actual = held.get(name.includes(':') ? name : `default:${name}`);
    if (actual === (amount ?? undefined)) return [];
    const message = `${name}: expected ${show(amount)} available, got ${show(actual)}`;
    return [{ place: [...place, 'accounts', name], message }];
  });
}
