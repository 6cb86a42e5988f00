/** The contexts of Vitest's `vm` pools have no such symbol before Node 24. Compiled `await using` then looks for this one. */
export const ASYNC_DISPOSE: typeof Symbol.asyncDispose =
  Symbol.asyncDispose ?? Symbol.for('Symbol.asyncDispose');
