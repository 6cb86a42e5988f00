import { routerOf } from 'billing-emulator/internals';
import { loadDocument } from 'billing-emulator/spec';
import { startMutant } from '../../mutants/emulator.ts';
import type { MutatedRequest } from '../../mutants/mutant.ts';
import type { ShapeMutant } from './shape-mutants.ts';

/** A sound emulator, with the answers of one operation spoiled. */
export interface SpoiledEmulator {
  readonly baseUrl: string;
  /** How many answers were spoiled since the mutant was set. */
  readonly spoiled: number;
  set(mutant: ShapeMutant | undefined): void;
  close(): Promise<void>;
}

export async function startSpoiledEmulator(): Promise<SpoiledEmulator> {
  const router = routerOf(loadDocument('openapi'));
  let current: ShapeMutant | undefined;
  let spoiled = 0;

  function isMeant({ method, path }: MutatedRequest): boolean {
    // A path that cannot be decoded leads to its operation all the same.
    const route = router.find(method, path.replaceAll('%', '_'));
    return route.kind === 'operation' && route.operation.id === current?.operation.id;
  }

  const { baseUrl, close } = await startMutant({
    ...{ id: 'spoiled', about: 'Answers are spoiled', noticedBy: [] },
    rawResponse(answer, asked) {
      if (answer.status !== current?.status || !isMeant(asked)) return answer;
      const body: unknown = answer.text === '' ? undefined : JSON.parse(answer.text);
      const changed = current.change({ status: answer.status, body });
      if (!changed) return answer;
      spoiled += 1;
      if (changed.body === undefined) return { ...answer, status: changed.status, text: '' };
      const headers = { 'Content-Type': 'application/json', ...answer.headers };
      return { headers, status: changed.status, text: JSON.stringify(changed.body) };
    },
  });

  return {
    baseUrl,
    close,
    get spoiled() {
      return spoiled;
    },
    set(mutant) {
      current = mutant;
      spoiled = 0;
    },
  };
}
