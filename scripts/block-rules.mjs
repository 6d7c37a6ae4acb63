// What a shell block on a page may not do: people paste it into bash or zsh, in a project of their own.

/** Rule → the lines it refuses. To add one: add it here and an example of it to test/block-rules.test.ts. */
const RULES = [
  {
    name: 'uses the home folder, where the files are the reader’s',
    pattern: /(^|[\s"'=:>(])~(\/|\s|$)|\$\{?HOME\b/,
  },
  {
    name: 'writes outside the project',
    pattern: /(>\|?\s*|\b(tee|cp|mv|ln|sed -i)\b.*\s)["']?(\.\.\/|\/(?!dev\/null\b))/,
  },
  { name: 'removes files', pattern: /\b(rm|rmdir|unlink|shred)\b|\bgit (clean|reset|checkout|restore)\b/ },
  { name: 'gives echo a backslash, which bash prints as it is; use printf', pattern: /\becho\b[^|;&]*\\/ },
  { name: 'has a comment, which zsh takes for a command', pattern: /^\s*#|\s#\s/ },
  {
    name: 'uses a variable that only our own set-up sets; put that line into examples/setup/',
    pattern: /\$\{?EXAMPLES\b/,
  },
];

/** Every breach as one sentence with its line; none when the block can be pasted. */
export function blockFaults(text) {
  return text
    .split('\n')
    .flatMap((line) => RULES.filter(({ pattern }) => pattern.test(line)).map(({ name }) => `${name}: ${line.trim()}`));
}

/** Faults of every shell block of a page in Markdown. */
export function pageFaults(text) {
  return [...text.matchAll(/^```(?:sh|bash|zsh|shell|console)\n([\s\S]*?)^```/gm)].flatMap(([, block]) =>
    blockFaults(block),
  );
}
