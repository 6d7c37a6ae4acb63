// Weak commands: those that end with 0 whatever is true of the work, so that their success says nothing. This reads a
// line of shell well enough for what models write; it is no proof. What it does not understand counts as able to fail,
// and the sandbox, not this file, is what keeps a command from doing harm.

import { oneLine } from '../../kernel/safe-text.ts';
import { type Step, splitShell, unwrap } from './shell-steps.ts';

/** Why the command cannot fail, or `undefined`. A weak command counts as not run. */
export function flagWeak(command: string): string | undefined {
  const steps = splitShell(command);
  if (steps.every((step) => step.words.length === 0)) return 'the command is empty';
  if (canFail(steps)) return undefined;
  const last = steps.findLast((step) => step.words.length > 0);
  return `the command cannot fail: "${oneLine(last?.words.join(' ') ?? '', 60)}" at its end always ends with 0`;
}

/** End with 0 for any argument. */
const ALWAYS_ZERO = new Set(
  'true : echo printf sleep pwd date set unset export readonly local alias trap wait clear'.split(' '),
);
/** At the end of a pipe they end with 0 and hide what came before. */
const ENDS_OF_PIPES = new Set('cat tee tail head sort uniq wc tr cut nl column less more fold rev tac'.split(' '));
const CLOSERS = new Set(['fi', 'done', '}']);
const CONDITIONS = new Set(['if', 'elif', 'while', 'until']);

/** Follows the status from left to right: `&&` can fail if either side can, `||` if both can, `;` if the last can. */
function canFail(steps: readonly Step[]): boolean {
  let whole = false;
  let status = false;
  let isStrict = false;
  let isPipeStrict = false;
  let isCondition = false;
  const branches: boolean[] = [];
  for (const [index, step] of steps.entries()) {
    let words = [...step.words];
    const isPipeEnd = step.before === '|';
    const isPiped = steps[index + 1]?.before === '|';
    let before = step.before;
    for (let keyword = words[0]; keyword !== undefined; keyword = words[0]) {
      if (CONDITIONS.has(keyword)) {
        if (keyword === 'elif') branches.push((branches.pop() ?? false) || status);
        else branches.push(false);
        isCondition = true;
      } else if (keyword === 'then' || keyword === 'do') {
        isCondition = false;
        status = false;
      } else if (keyword === 'else') {
        branches.push((branches.pop() ?? false) || status);
        status = false;
      } else if (CLOSERS.has(keyword)) {
        status = (keyword === '}' ? false : (branches.pop() ?? false)) || status;
      } else if (keyword === 'for' || keyword === 'select') {
        branches.push(false);
        words = [];
        break;
      } else if (keyword !== '{') break;
      words = words.slice(1);
      before = CLOSERS.has(keyword) ? before : ';';
    }
    if (words[0] === 'case') return true;
    if (isCondition || words.length === 0) continue;
    if (words[0] === 'set') {
      const options = words.slice(1).join(' ');
      isStrict ||= /(^|\s)-\w*e|errexit/.test(options);
      isPipeStrict ||= options.includes('pipefail');
      continue;
    }
    if (words[0] === 'exit' || words[0] === 'return') {
      const isReached = before === '||' ? status : true;
      const given = words[1];
      const asBefore = given === undefined || given === '$?';
      if (isReached && (asBefore ? status : given !== '0')) whole = true;
      if (before === ';' && branches.length === 0) return whole;
      status = before === '&&' ? status : false;
      continue;
    }
    if (isPiped && !isPipeStrict) continue;
    const own = step.isBackground ? false : stepCanFail(words, isPipeEnd);
    if (before === '&&' || (isPipeEnd && isPipeStrict)) status ||= own;
    else if (before === '||') status &&= own;
    else {
      if (isStrict) whole ||= status;
      status = isPipeEnd ? joined(steps, index, status, own) : own;
    }
  }
  return whole || status;
}

/** The status of `a && b | c` is that of `a` and of `c`: what stood before the pipe's first part decides. */
function joined(steps: readonly Step[], index: number, status: boolean, own: boolean): boolean {
  let first = index;
  while (steps[first]?.before === '|') first -= 1;
  const before = steps[first]?.before;
  return before === '&&' ? status || own : before === '||' ? status && own : own;
}

function stepCanFail(given: readonly string[], isPipeEnd: boolean): boolean {
  const words = unwrap(given);
  const [first, ...rest] = words;
  if (first === undefined) return given.some((word) => /\$\(|`/.test(word));
  const name = first.slice(first.lastIndexOf('/') + 1);
  if (name === '!') return rest[0] !== 'false';
  if (ALWAYS_ZERO.has(name)) return false;
  if (isPipeEnd && ENDS_OF_PIPES.has(name)) return false;
  if (name === 'test' || name === '[' || name === '[[') return !isConstantTest(rest);
  if (name === 'eval') return canFail(splitShell(rest.join(' ')));
  if (/^(ba|da|z|k)?sh$/.test(name) && /^-\w*c$/.test(rest[0] ?? '')) return canFail(splitShell(rest[1] ?? ''));
  return true;
}

/** Only literals, and nothing that looks at a file. */
function isConstantTest(words: readonly string[]): boolean {
  return !words.some((word) => /[$`]/.test(word) || /^-([a-hkprstuwxGLNOS]|nt|ot|ef|v)$/.test(word));
}
