// The JSON object in what an agent answered: the last one with a certain key, whatever is around it.

/** Looks from the end and gives up after a bounded number of tries: a text full of braces must not take long. */
export function lastObjectWith(whole: string, name: string): Readonly<Record<string, unknown>> | undefined {
  const text = whole.slice(-MOST_READ);
  const scan = { left: MOST_SCANNED };
  let key = text.length;
  for (let keys = 0; keys < 20 && key > 0; keys += 1) {
    key = text.lastIndexOf(`"${name}"`, key - 1);
    if (key < 0) return undefined;
    let start = key;
    for (let tries = 0; tries < 20 && start > 0; tries += 1) {
      start = text.lastIndexOf('{', start - 1);
      if (start < 0) break;
      const value = parseObjectAt(text, start, scan);
      if (value !== undefined && Object.hasOwn(value, name)) return value;
    }
  }
  return undefined;
}

export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** What is kept of an agent's output at most. */
const MOST_READ = 1_100_000;
/** Characters looked at over all tries: about a tenth of a second. */
const MOST_SCANNED = 20_000_000;

function parseObjectAt(
  text: string,
  start: number,
  scan: { left: number },
): Readonly<Record<string, unknown>> | undefined {
  const end = closingBrace(text, start, scan);
  if (end === undefined) return undefined;
  try {
    const value: unknown = JSON.parse(text.slice(start, end + 1));
    return isObject(value) ? value : undefined;
  } catch {
    // Not JSON from here; another brace may start it.
    return undefined;
  }
}

function closingBrace(text: string, start: number, scan: { left: number }): number | undefined {
  let depth = 0;
  let isText = false;
  for (let at = start; at < text.length && scan.left > 0; at += 1, scan.left -= 1) {
    const character = text.charAt(at);
    if (isText) {
      if (character === '\\') at += 1;
      else if (character === '"') isText = false;
    } else if (character === '"') isText = true;
    else if (character === '{') depth += 1;
    else if (character === '}') {
      depth -= 1;
      if (depth === 0) return at;
    }
  }
  return undefined;
}
