/** The name of a field in words. */
export const fieldWord = (name: string): string => {
  const words = name
    .replace(/(?<!external)_id$/, '')
    .replace(/url$/, 'URL')
    .replaceAll('_', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
};
