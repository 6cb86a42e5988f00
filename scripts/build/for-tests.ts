import { build, RUNNING } from './parts.ts';

/** Builds what has changed before any test, as some start the command. */
export default () => build(RUNNING);
