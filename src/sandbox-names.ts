const NAME_LENGTH = 48;

/** Makes names of sandboxes from the titles of tests: the same in each run, so that a test sees the same identifiers. */
export function sandboxNames(): (title: string) => string {
  const counts = new Map<string, number>();
  return (title) => {
    const words = title.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-');
    const name = `t-${words.slice(0, NAME_LENGTH).replaceAll(/^-|-$/g, '')}`;
    const count = (counts.get(name) ?? 0) + 1;
    counts.set(name, count);
    return count === 1 ? name : `${name}-${count}`;
  };
}
