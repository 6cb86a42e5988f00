import { inject } from 'vitest';
import { adoptLists, type Registry } from '../registry.ts';

declare module 'vitest' {
  interface ProvidedContext {
    registry: Registry;
  }
}

/** Each worker of a run loads this before its case files. */
adoptLists(inject('registry'));
