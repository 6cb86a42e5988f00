import { routerOf } from 'billing-emulator/internals';
import { loadDocument } from 'billing-emulator/spec';
import { startMutant } from '../mutants/emulator.ts';
import { declared, type MutatedRequest } from '../mutants/mutant.ts';
import type { ShapeMutant } from './shape-mutants.ts';

export type SpoiledEmulator = Awaited<ReturnType<typeof startSpoiledEmulator>>;

/** Starts a correct emulator that changes the responses of one operation by a mutant. */
export async function startSpoiledEmulator() {
  const router = routerOf(loadDocument('openapi'));
  let current: ShapeMutant | undefined;
  let spoiled = 0;

  function isMeant({ method, path }: MutatedRequest): boolean {
    // A path that cannot be decoded still belongs to its operation.
    const route = router.find(method, path.replaceAll('%', '_'));
    return route.kind === 'operation' && route.operation.id === current?.operation.id;
  }

  const { baseUrl, close } = await startMutant({
    ...declared('Answers are spoiled', []),
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
    /** The number of responses changed since the mutant was set. */
    get spoiled() {
      return spoiled;
    },
    set(mutant: ShapeMutant | undefined) {
      current = mutant;
      spoiled = 0;
    },
  };
}
