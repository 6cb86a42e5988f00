const NAME_LENGTH = 48;

/**
 * Returns a function that makes sandbox names from test titles. Names are the same in each run, so that a test
 * sees the same identifiers.
 */
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
