/** Host names that public DNS does not resolve: a single label, or a suffix reserved for local machines. */
const LOCAL_NAME = /^[^.[\]]+$|\.(localhost|internal|local|test)$/;

/** Whether a host name belongs to a private network. The name is in lower case, without a trailing dot. */
export const isLocalName = (name: string): boolean => LOCAL_NAME.test(name);

const LOOPBACK_NAME = /^(localhost|[\w-]+\.localhost|127\.\d+\.\d+\.\d+|\[?::1\]?)$/;

/** Whether a host name is this machine's loopback. The name is in lower case, without a trailing dot. */
export const isLoopback = (name: string): boolean => LOOPBACK_NAME.test(name);
