// Fills the fenced blocks of README and docs from examples/: a block behind `<!-- from examples/x.sh -->` is that file, a
// block behind `<!-- output of examples/x.sh -->` is what running it printed (examples/output/x.txt, kept current by
// scripts/run-examples.mjs). Blocks behind `<!-- paste … -->` and `<!-- prints -->` belong to scripts/paste-blocks.mjs, and a
// `<!-- drawing -->` is one. Any other block in these pages is a fault: docs that do not run go stale. So is a shell block
// that would harm whoever pastes it (scripts/block-rules.mjs).
// Usage: node scripts/docs-examples.mjs [--check]

import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { pageFaults } from './block-rules.mjs';
import { writeOrCheck } from './write-or-check.mjs';

const root = join(import.meta.dirname, '..');
const pages = [
  'README.md',
  ...readdirSync(join(root, 'docs'), { recursive: true })
    .filter((name) => name.endsWith('.md') && !name.startsWith('decisions'))
    .map((name) => join('docs', name)),
];
const isGenerated = (text) => text.startsWith('<!-- Made by') || /^<!--.*generated/i.test(text);

const files = {};
for (const page of pages) {
  const text = readFileSync(join(root, page), 'utf8');
  if (isGenerated(text)) continue;
  files[page] = text.replace(
    /(<!-- (from|output of|paste|prints|drawing)(?: ([^>]*?))? ?-->\n)?```(\w*)\n([\s\S]*?)```/g,
    (block, mark, kind, path, language) => {
      if (mark === undefined) {
        console.error(
          `${page}: a block without "<!-- from examples/… -->" before it: ${block.slice(0, 60).replaceAll('\n', ' ')}…`,
        );
        process.exitCode = 1;
        return block;
      }
      if (['paste', 'prints', 'drawing'].includes(kind)) return block;
      const source = kind === 'from' ? path : join('examples/output', basename(path).replace(/\.\w+$/, '.txt'));
      return `${mark}\`\`\`${language}\n${shown(readFileSync(join(root, source), 'utf8'))}\`\`\``;
    },
  );
}
for (const [page, text] of Object.entries(files)) {
  for (const fault of pageFaults(text)) {
    console.error(`${page}: a shell block ${fault}`);
    process.exitCode = 1;
  }
}
writeOrCheck(files);

/** Without the first comment line and shebang of a script: they are for whoever runs it. */
function shown(text) {
  return text.replace(/^(#!.*\n)?((#|\/\/) .*\n)*(set -e.*\n)?\n*/, '');
}
