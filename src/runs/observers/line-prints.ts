// Lines of a text as numbers, so that two versions of a file can be compared by lines when neither is there any more.

/** FNV-1a of each line; `undefined` for what git would call binary: a null byte within the first 8,000. */
export function linePrints(bytes: Uint8Array): Uint32Array | undefined {
  const firstNull = bytes.indexOf(0);
  if (firstNull !== -1 && firstNull < 8000) return undefined;
  const prints: number[] = [];
  let print = OFFSET;
  let start = 0;
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at] as number;
    if (byte !== NEWLINE) {
      print = Math.imul(print ^ byte, PRIME);
      continue;
    }
    prints.push(print >>> 0);
    [print, start] = [OFFSET, at + 1];
  }
  if (start < bytes.length) prints.push(print >>> 0);
  return Uint32Array.from(prints);
}

/** Lines that only one side has, each as often as it has it more. A line that moved is no change. */
export function compareLines(
  before: Uint32Array,
  after: Uint32Array,
): { readonly added: number; readonly removed: number } {
  const counts = new Map<number, number>();
  for (const print of after) counts.set(print, (counts.get(print) ?? 0) + 1);
  for (const print of before) counts.set(print, (counts.get(print) ?? 0) - 1);
  let [added, removed] = [0, 0];
  for (const count of counts.values()) {
    if (count > 0) added += count;
    else removed -= count;
  }
  return { added, removed };
}

const OFFSET = 0x811c9dc5;
const PRIME = 0x01000193;
const NEWLINE = 0x0a;
