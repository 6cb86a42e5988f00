import { build, RUNNING } from './parts.ts';

/** Builds the changed parts before any test, because some tests start the command. */
export default () => build(RUNNING);
