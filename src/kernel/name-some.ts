const MOST = 5;

/** The first names of a list, and how many more it has: "a, b and 3 more". */
export function nameSome(names: readonly string[], most = MOST): string {
  const more = names.length > most ? ` and ${names.length - most} more` : '';
  return `${names.slice(0, most).join(', ')}${more}`;
}
