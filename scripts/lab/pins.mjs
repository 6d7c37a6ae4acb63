// The pinned versions of the agents (lab.ts in their folders) as text and as numbers, and what differs between two looks: of
// `foreword verify`, and of a recorded screen. Pure.

/** Whether a version is later than another; what follows a hyphen makes it earlier than the same without. Anything that
 *  does not begin with three numbers is not. */
export function isNewer(version, than) {
  const [left, right] = [partsOf(version), partsOf(than)];
  if (left === undefined || right === undefined) return false;
  const at = [0, 1, 2].find((index) => left.numbers[index] !== right.numbers[index]);
  if (at !== undefined) return left.numbers[at] > right.numbers[at];
  return left.isFinal && !right.isFinal;
}

function partsOf(version) {
  const [, numbers, rest = ''] = /^(\d+\.\d+\.\d+)(-\S+)?$/.exec(version) ?? [];
  return numbers === undefined ? undefined : { numbers: numbers.split('.').map(Number), isFinal: rest === '' };
}

/** The text of a file with a pin, with another version in it; not a byte else. The pin is the file's only `version`. */
export function withVersion(text, version) {
  const [found, ...others] = text.matchAll(/^( *"?version"?: ['"])[^'"]+/gm);
  if (found === undefined || others.length > 0) throw new Error('there is not exactly one version in it');
  const [whole, before] = found;
  return `${text.slice(0, found.index)}${before}${version}${text.slice(found.index + whole.length)}`;
}

/** Lines that say what arrives otherwise than before. Both as `foreword verify --json` prints them; times do not count. */
export function matrixChanges(before, after) {
  const cells = new Map(cellsOf(before));
  return cellsOf(after).flatMap(([key, now]) => {
    const was = cells.get(key) ?? 'not tried';
    return was === now ? [] : [`${key}: ${was} before, ${now} now`];
  });
}

function cellsOf({ agents }) {
  return agents.flatMap(({ agent, arrivals }) =>
    Object.entries(arrivals).map(([tried, { ms: _, ...arrival }]) => [`${agent}, ${tried}`, wordsOf(arrival)]),
  );
}

function wordsOf({ kind, ...rest }) {
  const more = Object.values(rest).map(String);
  return more.length === 0 ? kind : `${kind} (${more.join(', ')})`;
}

const SPINNERS = /[⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏◐◓◑◒✻✳✢✶✽●◉◎○◌•◦■⬝]/gu;

/** Whether two recorded screens differ in nothing but times, counts and the picture of a spinner. */
export function looksSame(before, after) {
  return plain(before) === plain(after);
}

function plain(screen) {
  return screen
    .replaceAll(SPINNERS, () => '•')
    .replaceAll(/\d+/g, () => '0')
    .replaceAll(/ +/g, () => ' ');
}
