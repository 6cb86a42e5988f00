import type { ControlContext } from '../context.ts';

/** What an explanation is told from. */
export type ExplainContext = Pick<ControlContext, 'world' | 'settings' | 'baseUrl'>;
