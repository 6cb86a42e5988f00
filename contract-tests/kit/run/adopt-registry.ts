import { inject } from 'vitest';
import { adoptRegistry, type Registry } from '../registry.ts';

declare module 'vitest' {
  interface ProvidedContext {
    registry: Registry;
  }
}

/** Loaded by each worker of a run before its case files. */
adoptRegistry(inject('registry'));
