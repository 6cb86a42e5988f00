/** Names that no public name server answers for: one label, and the suffixes kept for machines of one's own. */
const LOCAL_NAME = /^[^.[\]]+$|\.(localhost|internal|local|test)$/;

/** Whether a host name, in lower case and without a dot at its end, stays within a private network. */
export const isLocalName = (name: string): boolean => LOCAL_NAME.test(name);

const LOOPBACK_NAME = /^(localhost|[\w-]+\.localhost|127\.\d+\.\d+\.\d+|\[?::1\]?)$/;

/** Whether a host name, in lower case and without a dot at its end, is this machine's own. */
export const isLoopback = (name: string): boolean => LOOPBACK_NAME.test(name);
