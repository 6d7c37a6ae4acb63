// Questions at a terminal that one key answers. What was typed before a question is shown does not count: nobody agreed to what
// they had not read.

import { createInterface } from 'node:readline/promises';

/** A pause this long, and nothing is left that was typed before. */
const QUIET_MS = 40;
/** A key that is held down does not keep the question back for ever. */
const MOST_DROPPED_MS = 1000;

/** Many press Enter behind a letter, when the next question already stands there. Nobody has read that within this time. */
const READ_MS = 1000;

/** The question before was answered by a letter alone. */
let isEnterDue = false;

const CTRL_C = '\u0003';
const CTRL_D = '\u0004';

/** The key, in small letters: one of `keys`, or `n` for Enter, Esc, q and the end of input. Other keys do nothing. `undefined`
 *  for Ctrl-C. Only at a terminal. */
export async function askKey(question: string, keys: string): Promise<string | undefined> {
  const { stdin, stdout } = process;
  const wasRaw = stdin.isRaw;
  stdin.setRawMode(true);
  stdin.resume();
  try {
    const before = await dropTypedBefore();
    if (before === 'stopped') return undefined;
    stdout.write(question);
    const key = before === 'ended' ? 'n' : await nextKey(keys, enterBehind());
    stdout.write(`${key ?? ''}\n`);
    return key;
  } finally {
    stdin.setRawMode(wasRaw);
    stdin.pause();
  }
}

/** One line, without what was typed before the question. `undefined` for Ctrl-C; empty at the end of input. */
export async function askLine(question: string): Promise<string | undefined> {
  if (process.stdin.isTTY && (await droppedInRaw()) === 'stopped') return undefined;
  const lines = createInterface({ input: process.stdin, output: process.stdout });
  const isBehind = enterBehind();
  try {
    const closed = new Promise<string>((resolve) => lines.once('close', () => resolve('')));
    const stopped = new Promise<undefined>((resolve) => lines.once('SIGINT', () => resolve(undefined)));
    // Once it is closed, its end wins over the refusal of another question.
    const asked = async () => (await Promise.race([closed, stopped, lines.question(question)]))?.trim();
    const line = await asked();
    return line === '' && process.stdin.isTTY && isBehind() ? await asked() : line;
  } finally {
    lines.close();
  }
}

/** Yes is the key `y` alone. End of input, and Ctrl-C, count as no. */
export async function isAgreed(question: string): Promise<boolean> {
  if (process.stdin.isTTY) return (await askKey(`${question} [y/N] `, 'y')) === 'y';
  return /^y(es)?$/i.test((await askLine(`${question} [y/N] `)) ?? '');
}

async function droppedInRaw(): Promise<Dropped> {
  process.stdin.setRawMode(true);
  process.stdin.resume();
  try {
    return await dropTypedBefore();
  } finally {
    process.stdin.setRawMode(false);
    process.stdin.pause();
  }
}

/** Whether Ctrl-C, or the end of input, was among it. */
type Dropped = 'stopped' | 'ended' | 'keys';

/** The terminal must be in raw mode: else a line without its end would stay in it. */
function dropTypedBefore(): Promise<Dropped> {
  const { stdin } = process;
  return new Promise((resolve) => {
    let dropped = '';
    const end = (): void => {
      clearTimeout(quiet);
      clearTimeout(longest);
      stdin.off('data', drop);
      resolve(dropped.includes(CTRL_C) ? 'stopped' : dropped.includes(CTRL_D) ? 'ended' : 'keys');
    };
    const drop = (chunk: Buffer | string): void => {
      dropped += String(chunk);
      quiet.refresh();
    };
    const quiet = setTimeout(end, QUIET_MS);
    const longest = setTimeout(end, MOST_DROPPED_MS);
    stdin.on('data', drop);
  });
}

/** Of a question that is shown now: whether an Enter that comes belongs to the letter before. */
function enterBehind(): () => boolean {
  const shownAt = performance.now();
  const isDue = isEnterDue;
  isEnterDue = false;
  return () => isDue && performance.now() - shownAt < READ_MS;
}

/** Only the first key of what comes at once: an Enter behind it is a habit. */
function nextKey(keys: string, isBehind: () => boolean): Promise<string | undefined> {
  const { stdin } = process;
  return new Promise((resolve) => {
    const end = (key: string | undefined): void => {
      stdin.off('data', take);
      stdin.off('end', close);
      resolve(key);
    };
    const close = (): void => end('n');
    const take = (chunk: Buffer | string): void => {
      const text = isBehind() ? String(chunk).replace(/^[\r\n]+/, '') : String(chunk);
      const key = keyIn(text, keys);
      if (key === 'unknown') return;
      isEnterDue = /^[a-z]$/i.test(text);
      end(key);
    };
    stdin.on('data', take);
    stdin.once('end', close);
  });
}

/** What bytes of a terminal mean as an answer. */
export function keyIn(text: string, keys: string): string | undefined {
  const first = text.slice(0, 1).toLowerCase();
  if (first === CTRL_C) return undefined;
  const isNo = text === '\u001b' || [CTRL_D, '\r', '\n', 'n', 'q'].includes(first);
  if (isNo) return 'n';
  return first !== '' && keys.includes(first) ? first : 'unknown';
}
