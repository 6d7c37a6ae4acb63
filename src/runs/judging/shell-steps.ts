// A line of shell as its steps: what is between `;`, `&&`, `||`, `|` and `&`, as words without their quotes.
// Not a parser: parentheses are passed over, and what is inside `$(…)` stays one piece of its word.

export interface Step {
  readonly words: readonly string[];
  readonly before: ';' | '&&' | '||' | '|';
  readonly isBackground: boolean;
}

const OPERATORS = ['&&', '||', ';;', '|&', ';', '\n', '|', '&'] as const;

export function splitShell(text: string): readonly Step[] {
  const steps: Step[] = [];
  let words: string[] = [];
  let word: string | undefined;
  let before: Step['before'] = ';';
  const endWord = (): void => {
    if (word !== undefined) words.push(word);
    word = undefined;
  };
  const endStep = (operator: string): void => {
    endWord();
    steps.push({ words, before, isBackground: operator === '&' });
    words = [];
    before = operator === '&&' || operator === '||' ? operator : operator.startsWith('|') ? '|' : ';';
  };
  for (let at = 0; at < text.length; ) {
    const character = text.charAt(at);
    const operator = operatorAt(text, at);
    if (operator !== undefined) {
      endStep(operator);
      at += operator.length;
    } else if (/[\s()]/.test(character)) {
      endWord();
      at += 1;
    } else if (character === '#' && word === undefined) {
      const end = text.indexOf('\n', at);
      at = end < 0 ? text.length : end;
    } else {
      const end = pieceEnd(text, at);
      word = (word ?? '') + unquote(text.slice(at, end));
      at = end;
    }
  }
  endStep(';');
  return steps;
}

/** Without redirections, assignments in front, and words that only start another command. */
export function unwrap(given: readonly string[]): readonly string[] {
  const words = given.filter(
    (word, index) => !/^\d*(>|<|&>)/.test(word) && !/^\d*(>>?|<|&>)$/.test(given[index - 1] ?? ''),
  );
  for (;;) {
    const first = words[0] ?? '';
    if (/^[A-Za-z_]\w*=/.test(first) || /^(command|builtin|exec|time|nohup|env)$/.test(first)) words.shift();
    else if (first === 'timeout') words.splice(0, 2);
    else return words;
  }
}

/** `2>&1` and `&>file` have an ampersand that ends nothing. */
function operatorAt(text: string, at: number): string | undefined {
  const operator = OPERATORS.find((each) => text.startsWith(each, at));
  if (operator !== '&') return operator;
  return /[<>]/.test(text.charAt(at - 1)) || text.charAt(at + 1) === '>' ? undefined : operator;
}

/** Where the quoted part, the substitution or the single character that starts here ends. */
function pieceEnd(text: string, at: number): number {
  const character = text.charAt(at);
  if (character === '\\') return Math.min(at + 2, text.length);
  if (character === "'") return after(text, text.indexOf("'", at + 1));
  if (character === '`') return after(text, text.indexOf('`', at + 1));
  if (character === '"') return doubleQuotedEnd(text, at + 1);
  if (character === '$' && text.charAt(at + 1) === '(') return parenthesisEnd(text, at + 2);
  return at + 1;
}

function doubleQuotedEnd(text: string, start: number): number {
  for (let at = start; at < text.length; at += 1) {
    if (text.charAt(at) === '\\') at += 1;
    else if (text.charAt(at) === '"') return at + 1;
  }
  return text.length;
}

function parenthesisEnd(text: string, start: number): number {
  for (let at = start, depth = 1; at < text.length; at += 1) {
    if (text.charAt(at) === '(') depth += 1;
    else if (text.charAt(at) === ')') depth -= 1;
    if (depth === 0) return at + 1;
  }
  return text.length;
}

function after(text: string, index: number): number {
  return index < 0 ? text.length : index + 1;
}

function unquote(piece: string): string {
  const first = piece.charAt(0);
  if (first === "'") return piece.slice(1, piece.length > 1 && piece.endsWith("'") ? -1 : undefined);
  if (first === '"') {
    const inner = piece.slice(1, piece.length > 1 && piece.endsWith('"') ? -1 : undefined);
    return inner.replace(/\\(["\\$`])/g, '$1');
  }
  return first === '\\' ? piece.slice(1) : piece;
}
