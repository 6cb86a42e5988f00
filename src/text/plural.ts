/** How many there are of something, such as `1 step` and `2 steps`. */
export const plural = (count: number, one: string, many = `${one}s`): string =>
  `${count} ${count === 1 ? one : many}`;
