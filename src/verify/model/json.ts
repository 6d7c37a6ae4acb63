// Reading values that came over the wire and may be anything. Nothing here throws, whatever the value is.

export type Fields = Readonly<Record<string, unknown>>;

/** How deep a value is searched. Real requests nest less than ten deep; a body of brackets must not overflow the stack. */
export const DEEPEST = 64;

export function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The object, or an empty one for anything else. */
export function fieldsOf(value: unknown): Fields {
  return isFields(value) ? value : {};
}

/** The list, or an empty one for anything else. */
export function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

export function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

/** Every text inside, in order; keys do not count. */
export function textsInside(value: unknown, depth = 0): string[] {
  if (typeof value === 'string') return [value];
  if (typeof value !== 'object' || value === null || depth > DEEPEST) return [];
  return Object.values(value).flatMap((item) => textsInside(item, depth + 1));
}

/** As JSON; a value that is too deep for the writer reads as `null`. */
export function jsonOf(value: unknown): string {
  try {
    return JSON.stringify(value) ?? 'null';
  } catch {
    return 'null';
  }
}
