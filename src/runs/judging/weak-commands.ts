// Weak commands: those that exit with 0 whatever is true of the work, so that their success shows nothing. This is a hint
// for the forms that models write (`… || true`, `…; echo done`, `… | tail`), not a shell parser. What it does not
// understand counts as able to fail; the sandbox, not this file, is what keeps a command from doing harm.

import { oneLine } from '../../kernel/safe-text.ts';

/** Why the command cannot fail, or `undefined`. A weak command counts as not run. */
export function flagWeak(command: string): string | undefined {
  const text = withoutTexts(command);
  if (text.trim() === '') return 'the command is empty';
  const inner = /^\s*(?:ba|da|z|k)?sh -\w*c (['"])(.*)\1\s*$/s.exec(command)?.[2];
  if (inner !== undefined) return flagWeak(inner);
  return canFail(text) ? undefined : `the command cannot fail: it always exits with 0: "${oneLine(command, 60)}"`;
}

/** Exit with 0 for any argument. */
const ALWAYS_ZERO = new Set(['', 'true', ':', 'echo', 'printf', 'sleep', 'pwd', 'date', 'wait']);
/** At the end of a pipe they exit with 0 and hide what came before. */
const ENDS_OF_PIPES = new Set('cat tee tail head sort uniq wc tr cut nl column less more'.split(' '));
const TESTS = new Set(['test', '[', '[[']);
/** Plain assignments, and programs that run what follows them and exit with its status. */
const PREFIXES = /^(?:(?:[A-Za-z_]\w*=[\w./:-]*|env|command|exec|eval|nohup|time|timeout (?:-\S+ )*\S+)(?:\s+|$))+/;
/** These change what a status means, or set one. */
const DECIDES_BY_ITSELF = /(^|[\s;&|(])(set|trap|case|return|exit(?!\s*($|[;&|)]|0\b)))\b/;

/** Without quoted texts, escaped characters, comments and redirections: only words and operators are left. */
function withoutTexts(command: string): string {
  return command
    .replace(/\\.|'[^']*'|"(?:\\.|[^"\\])*"|`[^`]*`/gs, '_')
    .replace(/(^|\s)#.*/g, '')
    .replace(/&>|\d*[<>]+&?\s*[^\s;&|)]+/g, ' ');
}

/** A compound command can fail where one of its branches can; a condition's own status is used up by the condition. */
function canFail(text: string): boolean {
  if (DECIDES_BY_ITSELF.test(text)) return true;
  const branches = text
    .replace(/\b(if|elif|while|until|for)\b.*?[;\s](then|do)\b/gs, '\n')
    .split(/\b(?:else|fi|done)\b/);
  return branches.some((branch) => listCanFail(branch));
}

/** Of `a; b` the last decides. A program in the background (`a &`) never does. */
function listCanFail(text: string): boolean {
  const lists = text.split(/;|\n|(?<!&)&(?!&)/).map((list) => list.trim());
  const isBackground = /(?<!&)&\s*$/.test(text);
  const last = isBackground ? '' : (lists.findLast((list) => list !== '') ?? '');
  // `a && b` can fail if either can, `a || b` only if both can.
  return last.split('||').every((side) => side.split('&&').some(pipeCanFail));
}

function pipeCanFail(text: string): boolean {
  const parts = text.split('|');
  const [name = '', ...args] = (parts.at(-1) ?? '').replaceAll(/[()]/g, ' ').trim().replace(PREFIXES, '').split(/\s+/);
  const program = name.slice(name.lastIndexOf('/') + 1);
  if (program === 'exit') return args[0] !== '0' && args[0] !== undefined;
  if (program === '!') return args.join(' ') !== 'false';
  if (TESTS.has(program)) return !isConstant(args);
  return !ALWAYS_ZERO.has(program) && !(parts.length > 1 && ENDS_OF_PIPES.has(program));
}

/** Two equal words that nothing is put into: `1 -eq 1`. A quoted text, which may hold a variable, is `_` by now. */
function isConstant([left = '_', operator, right]: readonly string[]): boolean {
  return /^(=|==|-eq)$/.test(operator ?? '') && left === right && /^(?!_$)[\w.-]+$/.test(left);
}
