// Paths into a JSON value of another program's format. Names with dots; `a[]` selects each entry of a list, `a[type=text]`
// those whose `type` is `text`, `a[!thought]` those without a `thought`; `*` is every value of an object.
// Total: a path that is missing matches nothing, whatever the value is.

/** All values at the path, in order. */
export function valuesAt(value: unknown, path: string): readonly unknown[] {
  let found: readonly unknown[] = [value];
  for (const step of parsePath(path)) found = found.flatMap((one) => follow(one, step));
  return found;
}

/** The strings among them. */
export function textsAt(value: unknown, path: string): readonly string[] {
  return valuesAt(value, path).filter((one): one is string => typeof one === 'string');
}

/** Paths and their required values; `*` for any value. Empty conditions always hold. */
export type Conditions = Readonly<Record<string, string | number | boolean>>;

export function holds(conditions: Conditions, value: unknown): boolean {
  return Object.entries(conditions).every(([path, wanted]) => {
    const found = valuesAt(value, path);
    return wanted === '*' ? found.some((one) => one !== null && one !== undefined) : found.includes(wanted);
  });
}

interface PathStep {
  readonly key: string;
  readonly entries?: (entry: unknown) => boolean;
}

const STEP = /^([^[\]]*)(?:\[(!?)([^\]=]*)(?:=([^\]]*))?\])?$/;
const parsed = new Map<string, readonly PathStep[]>();

/** Paths are our own data, so the cache stays small. */
function parsePath(path: string): readonly PathStep[] {
  let steps = parsed.get(path);
  if (steps === undefined) {
    steps = path.split('.').map(parseStep);
    parsed.set(path, steps);
  }
  return steps;
}

function parseStep(step: string): PathStep {
  const [, key = step, not, name, wanted] = STEP.exec(step) ?? [];
  if (name === undefined) return { key };
  if (name === '') return { key, entries: () => true };
  if (not === '!') return { key, entries: (entry) => !field(entry, name) };
  return { key, entries: (entry) => field(entry, name) === wanted };
}

function follow(value: unknown, { key, entries }: PathStep): readonly unknown[] {
  const inner = key === '*' ? valuesOf(value) : has(value, key) ? [field(value, key)] : [];
  if (entries === undefined) return inner;
  return inner.flatMap((one) => (Array.isArray(one) ? one.filter(entries) : []));
}

function valuesOf(value: unknown): readonly unknown[] {
  return typeof value === 'object' && value !== null ? Object.values(value) : [];
}

function has(value: unknown, key: string): boolean {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, key);
}

function field(value: unknown, key: string): unknown {
  return has(value, key) ? (value as Readonly<Record<string, unknown>>)[key] : undefined;
}
