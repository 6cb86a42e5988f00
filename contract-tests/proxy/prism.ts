import type { Json } from 'billing-emulator/spec';

type Prism = typeof import('@stoplight/prism-http');

export type LoadedPrism = Awaited<ReturnType<typeof loadPrism>>;

/** What Prism would say goes nowhere: whoever uses it reports by itself. */
export const SILENT_LOGGER = new Proxy({} as Parameters<Prism['createInstance']>[1]['logger'], {
  get: (_, name) => (name === 'child' ? () => SILENT_LOGGER : () => undefined),
});

/**
 * Loads Prism and reads a document into operations of its own form. It is loaded when it is first needed, as it takes several times as
 * long as a start of the emulator.
 */
export async function loadPrism(document: Json) {
  const { createInstance, getHttpOperationsFromSpec } = await import('@stoplight/prism-http');
  const operations = await getHttpOperationsFromSpec(structuredClone(document));
  return { createInstance, operations };
}
