/** The values at a path of a row, such as `payment.status`, or of each item of a list, such as `products[].code`. */
export function valuesAt(row: unknown, path: string): readonly unknown[] {
  let values: readonly unknown[] = [row];
  for (const step of path.split('.')) {
    const isList = step.endsWith('[]');
    const name = isList ? step.slice(0, -2) : step;
    values = values.flatMap((value) => {
      const found = (value as Readonly<Record<string, unknown>> | null | undefined)?.[name];
      return isList ? ((found ?? []) as readonly unknown[]) : [found];
    });
  }
  return values;
}
