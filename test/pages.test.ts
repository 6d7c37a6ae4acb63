// The pages: every link leads somewhere, every page can be found, and what readers paste is read from a page as they see it.

import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { blocksOf, changesOf, resultsOf, scriptOf, withOutput } from '../scripts/paste/page.mjs';

const root = join(import.meta.dirname, '..');
const docs = readdirSync(join(root, 'docs'), { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.md'))
  .map((name) => join('docs', name));
const pages = ['README.md', 'CONTRIBUTING.md', 'ARCHITECTURE.md', ...docs];

const read = (page: string): string => readFileSync(join(root, page), 'utf8');
const outsideBlocks = (text: string): string => text.replace(/^```[\s\S]*?^```$/gm, '');

/** As the usual hosts make anchors. */
function anchorsOf(page: string): readonly string[] {
  return [...outsideBlocks(read(page)).matchAll(/^#+ (.*)$/gm)].map(([, title = '']) =>
    title
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\s_-]/gu, '')
      .replace(/\s/g, '-'),
  );
}

function brokenLinks(page: string): readonly string[] {
  return [...outsideBlocks(read(page)).matchAll(/\]\(([^)\s]+)\)/g)]
    .map(([, target = '']) => target)
    .filter((target) => !/^[a-z]+:/.test(target))
    .filter((target) => {
      const [path = '', anchor] = target.split('#');
      const file = path === '' ? page : join(dirname(page), path);
      if (!existsSync(join(root, file))) return true;
      return anchor !== undefined && !anchorsOf(file).includes(anchor);
    });
}

test.each(pages)('every link of %s leads somewhere', (page) => {
  expect(brokenLinks(page)).toEqual([]);
});

test('every page is named by the index', () => {
  const index = read('docs/README.md');
  const named = docs.filter((page) => page !== 'docs/README.md' && !page.startsWith('docs/decisions/'));
  expect(named.filter((page) => !index.includes(`(${page.slice('docs/'.length)})`))).toEqual([]);
});

/** The line before a shell block that says what runs it: paste-blocks.mjs, test/real/pages.test.ts or run-examples.mjs. */
const RUN = /^<!-- (paste|paste in a checkout|paste with claude|from examples\/\S+\.sh) -->$/;

/** Shell blocks that nothing runs, and marks that no block follows. */
function blocksNobodyRuns(text: string): readonly string[] {
  const lines = text.split('\n');
  return lines.flatMap((line, index) => {
    const isShell = /^\s*```(sh|bash|zsh|shell|console)\b/.test(line);
    if (isShell && !RUN.test(lines[index - 1] ?? '')) return [`${index + 1}: ${lines[index + 1]}`];
    if (/^\s*<!-- *paste/.test(line) && !(RUN.test(line) && lines[index + 1] === '```sh'))
      return [`${index + 1}: ${line}`];
    return [];
  });
}

test.each(['README.md', ...docs])('every shell block of %s is run by something', (page) => {
  expect(blocksNobodyRuns(read(page))).toEqual([]);
  const marks = read(page).match(/^<!-- paste/gm)?.length ?? 0;
  expect(blocksOf(read(page))).toHaveLength(marks);
});

test('a shell block without a mark, or with a misspelt one, is named', () => {
  const block = '```sh\nforeword init\n```\n';
  expect(blocksNobodyRuns(`Then:\n\n${block}`)).toEqual(['3: foreword init']);
  expect(blocksNobodyRuns(`<!-- paste in a chekout -->\n${block}`)).toEqual([
    '1: <!-- paste in a chekout -->',
    '2: foreword init',
  ]);
  expect(blocksNobodyRuns(`<!-- paste -->\n\n${block}`)).toEqual(['1: <!-- paste -->', '3: foreword init']);
  expect(blocksNobodyRuns(`- one\n\n  ${block.replaceAll('\n', '\n  ')}`)).toEqual(['3:   foreword init']);
  expect(blocksNobodyRuns(`<!-- paste -->\n${block}`)).toEqual([]);
});

const PAGE = `# A page

<!-- paste -->
\`\`\`sh
name=world
echo "hello $name"
\`\`\`

<!-- prints -->
\`\`\`text
hello world
\`\`\`

<!-- paste with claude -->
\`\`\`sh
claude
\`\`\`

<!-- paste -->
\`\`\`sh
echo "bye $name"; false
\`\`\`
`;

test('the blocks of a page run in one shell, in their order, each with its own output and exit status', () => {
  const blocks = blocksOf(PAGE).filter(({ where }) => where === 'project');
  expect(blocks.map(({ prints }) => prints)).toEqual(['hello world\n', undefined]);
  const { stdout } = spawnSync('bash', ['-c', scriptOf(blocks, '@@')], { encoding: 'utf8' });
  expect(resultsOf(stdout, '@@')).toEqual({
    results: [
      { printed: 'hello world\n', status: 0 },
      { printed: 'bye world\n', status: 1 },
    ],
    rest: '',
  });
});

test('a page takes what its blocks print now, and keeps the rest', () => {
  expect(withOutput(PAGE, ['hello you\n', undefined, 'x\n'])).toBe(PAGE.replace('\nhello world\n', '\nhello you\n'));
});

test('a file of the reader that was changed or removed is named, a new one is not', () => {
  const before = new Map([
    ['.bashrc', '# mine'],
    ['draft.md', 'x'],
    ['kept', 'y'],
  ]);
  const after = new Map([
    ['.bashrc', '# not mine'],
    ['kept', 'y'],
    ['new', 'z'],
  ]);
  expect(changesOf(before, after)).toEqual(['changed .bashrc:\n# not mine', 'removed draft.md']);
});
