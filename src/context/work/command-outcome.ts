// How the tests or the build in a line of shell ended, which the status of the line does not always say: a commit behind them may
// have failed, and a pipe ends with what is at its end. Where the status is another's, the output decides; where that says nothing
// either, nothing is known.

import { partKind } from './command-kind.ts';

export type LineEnd = 'failed' | 'passed';

export interface EndedLine {
  readonly command: string;
  /** By the status of the whole line. */
  readonly isFailed: boolean;
  readonly output: string;
}

export function outcomeOf({ command, isFailed, output }: EndedLine): LineEnd | undefined {
  const parts = partsOf(command.slice(0, LONGEST));
  const kinds = parts.map(({ words }) => partKind(words));
  const at = kinds.includes('tests') ? kinds.lastIndexOf('tests') : kinds.findLastIndex((kind) => kind !== undefined);
  const whole: LineEnd = isFailed ? 'failed' : 'passed';
  const reading = at === -1 ? 'own' : readingOf(parts, at);
  if (reading === 'own') return whole;
  const said = saidIn(output);
  // Behind `&&` something ran only if they passed.
  if (reading === 'joined') return isFailed && (said === 'passed' || GIT_REFUSED.test(output)) ? 'passed' : whole;
  return said;
}

const LONGEST = 2000;

type Joint = ';' | '&&' | '||' | '|' | '&' | '';

interface Part {
  readonly words: string;
  /** What stands behind it. */
  readonly joint: Joint;
}

/** Whether the status of the line is that of the part (`own`), may be that of one behind it (`joined`), or is another's. */
function readingOf(parts: readonly Part[], at: number): 'own' | 'joined' | 'others' {
  const rest = parts.slice(at + 1);
  const joint = parts[at]?.joint ?? '';
  const [next] = rest;
  if (joint === '&') return 'others';
  if (joint === '' || next === undefined) return 'own';
  if (joint === '|') return hasPipefail(parts) ? readingOf(parts, at + 1) : 'others';
  if (/^exit [1-9]/.test(rest.at(-1)?.words ?? '')) return 'own';
  if (joint === ';') return /^exit(?:$| ["']?\$)/.test(rest.at(-1)?.words ?? '') ? 'own' : 'others';
  return joint === '&&' && rest.every((part) => part.joint === '&&' || part.joint === '') ? 'joined' : 'others';
}

function hasPipefail(parts: readonly Part[]): boolean {
  return parts.some(({ words }) => /^set\b.*\bpipefail\b/.test(words));
}

/** Split where a shell would, quotes and redirections respected; brackets are left out. */
function partsOf(command: string): readonly Part[] {
  const parts: Part[] = [];
  let from = 0;
  for (const match of command.matchAll(TOKEN)) {
    const joint = JOINTS[match[0]];
    if (joint === undefined) continue;
    parts.push({ words: cleaned(command.slice(from, match.index)), joint });
    from = match.index + match[0].length;
  }
  parts.push({ words: cleaned(command.slice(from)), joint: '' });
  return parts.filter(({ words }) => words !== '');
}

const TOKEN = /'[^']*'|"(?:\\[\s\S]|[^"\\])*"|\\[\s\S]|\d*>&\d?|&>>?|&&|\|\||\|&|[;\n|&]/g;
const JOINTS: Readonly<Record<string, Joint>> = {
  ...{ ';': ';', '\n': ';', '&&': '&&', '||': '||', '|': '|', '|&': '|', '&': '&' },
};

function cleaned(words: string): string {
  return words.replace(/^[\s({]+|[\s)}]+$/g, '');
}

const GIT_REFUSED = /^(?:fatal: |error: pathspec |nothing to commit|no changes added to commit|On branch )/m;
const STATUS = /\bexit(?:ed)?(?: ?(?:code|status))?(?: with)?[:= ]+(\d{1,3})\b/gi;
const FAILED = [
  /\b[1-9]\d* (?:tests? |suites? |specs? |examples?, )?(?:failed|failing|failures?|errors?)\b/i,
  /(?:^|\s)(?:fail|failed|failures|errors)[:= ]+[1-9]\d*\b/im,
  /^\s*(?:FAIL(?:ED|URE)?|not ok|--- FAIL:|✖|✗|×)(?:\s|$)/m,
  /\b(?:AssertionError|panicked at|error TS\d+|BUILD FAILURE)\b/,
];
const PASSED = [
  /\b[1-9]\d* (?:tests? |specs? )?(?:passed|passing|pass|examples?, 0 failures)\b/i,
  /(?:^|\s)(?:fail|failed|failures)[:= ]+0\b/im,
  /^\s*(?:PASS|OK|ok|✓|✔)(?:\s|$)/m,
  /\b(?:0 failed|0 failures|0 errors|BUILD SUCCESS|all tests passed)\b/i,
];

/** The last status that is printed, else what testers say of their counts. */
function saidIn(output: string): LineEnd | undefined {
  const end = output.slice(-LOOKED_AT);
  const status = [...end.matchAll(STATUS)].at(-1)?.[1];
  if (status !== undefined) return status === '0' ? 'passed' : 'failed';
  if (FAILED.some((pattern) => pattern.test(end))) return 'failed';
  return PASSED.some((pattern) => pattern.test(end)) ? 'passed' : undefined;
}

const LOOKED_AT = 20_000;
