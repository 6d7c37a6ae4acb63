// What CHANGELOG.md must look like: `## Unreleased` on top, then released sections that nobody edits. Pure.

const HEADING = '## Unreleased';
const GROUPS = ['Breaking', 'Added', 'Changed', 'Fixed'];
const RELEASED = /^## (\d+\.\d+\.\d+) - \d{4}-\d\d-\d\d$/;

/** Every fault as one sentence. An empty Unreleased is one, unless `mayBeEmpty`: right after a release it is empty. */
export function changelogFaults(text, { mayBeEmpty = false } = {}) {
  const lines = text.split('\n').map((line, index) => ({ line, number: index + 1 }));
  const sections = lines.filter(({ line }) => /^##(?!#)/.test(line));
  const [first, ...older] = sections;
  if (first?.line !== HEADING)
    return [`has ${first === undefined ? 'no section' : `"${first.line}" on top`} where "${HEADING}" must be.`];
  const faults = older
    .filter(({ line }) => !RELEASED.test(line))
    .map(({ line, number }) => `line ${number}: "${line}" must be "## VERSION - YYYY-MM-DD".`);
  const body = lines.slice(first.number, older[0] === undefined ? undefined : older[0].number - 1);
  const groups = body.filter(({ line }) => line.startsWith('###'));
  for (const { line, number } of groups) {
    if (!GROUPS.some((name) => line === `### ${name}`))
      faults.push(`line ${number}: "${line}" must be one of ${GROUPS.map((name) => `"### ${name}"`).join(', ')}.`);
  }
  const [entry] = body.filter(({ line }) => /^- \S/.test(line));
  if (entry === undefined && !mayBeEmpty) faults.push(`"${HEADING}" has no entry: there is nothing to release.`);
  if (entry !== undefined && !(groups[0]?.number < entry.number))
    faults.push(`line ${entry.number}: the entry stands under no group (${GROUPS.join(', ')}).`);
  return faults;
}

/** The text with Unreleased turned into a released section, and a new empty one on top. */
export function releasedChangelog(text, version, date) {
  return text.replace(HEADING, `${HEADING}\n\n## ${version} - ${date}`);
}

export function releasedVersions(text) {
  return text.split('\n').flatMap((line) => RELEASED.exec(line)?.[1] ?? []);
}

export function isNewer(version, than) {
  const [left, right] = [version, than].map((one) => one.split('.').map(Number));
  const index = left.findIndex((part, at) => part !== right[at]);
  return index !== -1 && left[index] > right[index];
}
