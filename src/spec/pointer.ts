/** The names and places that a JSON pointer leads through. */
export function readPointer(pointer: string): readonly string[] {
  return pointer
    .split('/')
    .slice(1)
    .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'));
}

/** What a JSON pointer leads to; undefined where there is nothing. */
export function valueAt(root: unknown, pointer: string): unknown {
  return readPointer(pointer).reduce<unknown>(
    (inner, step) => (inner as Readonly<Record<string, unknown>> | undefined)?.[step],
    root,
  );
}
