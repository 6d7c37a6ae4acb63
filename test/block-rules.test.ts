// The shell blocks of README and docs are pasted into a reader's own shell, in a project of their own.

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { blockFaults, pageFaults } from '../scripts/block-rules.mjs';

const root = join(import.meta.dirname, '..');
const BREACHES: readonly (readonly [string, string])[] = [
  [
    `mkdir -p ~/.claude && printf '{\\n  "model": "opus"\\n}\\n' > ~/.claude/settings.json`,
    'uses the home folder, where the files are the reader’s',
  ],
  ['cp settings.json "$HOME/.claude/"', 'uses the home folder, where the files are the reader’s'],
  [`echo '{}' >\${HOME}/x.json`, 'uses the home folder, where the files are the reader’s'],
  ['sed s/a/b/ config.json > ../session.json', 'writes outside the project'],
  ['foreword export | tee /etc/foreword.jsonl', 'writes outside the project'],
  ['rm -r .foreword', 'removes files'],
  [
    'echo "# Constitution\\n\\nNever touch the ledger." > .context/CONSTITUTION.md',
    'gives echo a backslash, which bash prints as it is; use printf',
  ],
  ['foreword load  # what is there', 'has a comment, which zsh takes for a command'],
  [
    'foreword start mini --config $EXAMPLES/config.json',
    'uses a variable that only our own set-up sets; put that line into examples/setup/',
  ],
];

test.each(BREACHES)('a block that would harm a reader is refused: %s', (line, fault) => {
  expect(blockFaults(`foreword load\n${line}\n`)).toEqual([`${fault}: ${line}`]);
  expect(pageFaults(`# Page\n\n\`\`\`sh\n${line}\n\`\`\`\n`)).toEqual([`${fault}: ${line}`]);
});

test('commands of foreword, pipes and new files in the project are no fault', () => {
  const block = [
    'foreword init --agents claude --scope project --yes > /dev/null',
    `mkdir .context && printf '# Constitution\\n' > .context/CONSTITUTION.md`,
    'git diff HEAD~1 | foreword send s1a2b3c4 - --config ../session.json',
    'foreword export > everything.jsonl',
  ];
  expect(blockFaults(block.join('\n'))).toEqual([]);
});

test('no shell block of README and docs harms whoever pastes it', () => {
  const pages = ['README.md', ...readdirSync(join(root, 'docs'), { recursive: true }).map((name) => `docs/${name}`)];
  const faults = pages
    .filter((page) => page.endsWith('.md'))
    .flatMap((page) => pageFaults(readFileSync(join(root, page), 'utf8')).map((fault) => `${page}: ${fault}`));
  expect(faults).toEqual([]);
});
