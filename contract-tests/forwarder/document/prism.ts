import type { Json } from 'billing-emulator/spec';

type Prism = typeof import('@stoplight/prism-http');

export type LoadedPrism = Awaited<ReturnType<typeof loadPrism>>;

/** Discards Prism's log output; each caller reports its own findings. */
export const SILENT_LOGGER = new Proxy({} as Parameters<Prism['createInstance']>[1]['logger'], {
  get: (_, name) => (name === 'child' ? () => SILENT_LOGGER : () => undefined),
});

/**
 * Loads Prism and converts a document to Prism's operations. Prism is loaded only when needed, because that takes
 * several times as long as starting the emulator.
 */
export async function loadPrism(document: Json) {
  const { createInstance, getHttpOperationsFromSpec } = await import('@stoplight/prism-http');
  const operations = await getHttpOperationsFromSpec(structuredClone(document));
  return { createInstance, operations };
}
