/** Whether a query limits a list to a period that ends before it starts, which the service rejects. */
export const endsBeforeItStarts = (query: Readonly<Record<string, unknown>>): boolean =>
  Object.entries(query).some(
    ([name, from]) =>
      name.endsWith('_from') && String(from) > String(query[name.replace('_from', '_to')] ?? '~'),
  );
