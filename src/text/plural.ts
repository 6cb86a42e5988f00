/** A count with its noun, such as `1 step` or `2 steps`. */
export const plural = (count: number, one: string, many = `${one}s`): string =>
  `${count} ${count === 1 ? one : many}`;
