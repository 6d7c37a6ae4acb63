// What is said in the recordings.

export const DRAFT = 'Please look at the failing test';
export const LONG_DRAFT = `${'Go through the parser line by line and say where a value can be lost. '.repeat(4)}Then stop.`;
export const THREE_LINES = 'First line of the paste\nSecond line of it\nThird and last line';
export const SIXTY_LINES = Array.from(
  { length: 60 },
  (_, index) => `Line ${index + 1} of a long paste, with some words`,
).join('\n');
/** Long enough to look twice, short enough for an agent's patience. */
export const WAITING_MS = 3000;
/** Leaves a file behind when it is done, so that a screen taken before is one of an agent at work. */
export const COMMAND = 'touch begun.txt && sleep 5 && touch finished.txt';
export const FINISHED = 'finished.txt';
export const SIGN_OFF = 'All parts were looked at.';
export const ANSWER = `The test checks that an empty file is refused. ${SIGN_OFF}`;
/** Enough to be made shorter, and no sentence of it twice: some agents end a model that repeats itself. */
export function longAnswer(points = 400) {
  return Array.from({ length: points }, (_, index) => `Point ${index} of a long explanation.`).join(' ');
}
export const PARAGRAPHS = `The parser reads one line after the other.

It keeps what it found so far in a list.

A line that it cannot read is put aside with its number.

At the end it says which lines were put aside, and why.

`;
export const PIECES = [...(PARAGRAPHS.match(/\S+\s*/g) ?? []), SIGN_OFF];
/** A model's words that look like what agents show in other states. */
export const QUOTES = `A screen may say all of this without meaning it:

- Working (3s • esc to interrupt), esc to cancel, esc interrupt
- Do you trust the files in this folder?
- Press enter to confirm or esc to cancel
- Type your message or @path/to/file, Ask Codex to do anything

1. Yes, proceed
2. No, and tell me what to do differently

${SIGN_OFF}`;
