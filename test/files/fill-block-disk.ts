// On a small disk that is full: a plain write leaves half of a file, ours the whole old one. Says one line per round.

import { mkdirSync, readdirSync, readFileSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { unwriteBlock, writeBlock } from '../../src/sessions/channels/file/managed-block-file.ts';

const [, , folder = '', count = '1'] = process.argv;
const RULES = `# Rules\n${'Use tabs.\n'.repeat(4000)}`;

for (let round = 0; round < Number(count); round += 1) {
  const root = join(folder, `round-${round}`);
  mkdirSync(root);
  const file = join(root, 'CLAUDE.local.md');
  writeFileSync(file, RULES);
  const problems: string[] = [];
  const filler = join(folder, 'filler');
  fill(filler, round % 20);
  const block = { id: 'fw_a', body: 'y'.repeat(8000), expiresAt: '2026-11-16T10:00:00.000Z' };
  const refused = writeBlock(root, 'CLAUDE.local.md', block);
  if (refused.kind !== 'refused' || !refused.reason.includes('disk is full'))
    problems.push(`said ${JSON.stringify(refused)}`);
  if (readFileSync(file, 'utf8') !== RULES) problems.push('the old file is not whole');
  // It may fit into what is left.
  writeBlock(root, '.claude/rules/foreword.md', block);
  unwriteBlock(root, '.claude/rules/foreword.md');
  if (readdirSync(root).length !== 1) problems.push('a new file was left in part');
  rmSync(filler);
  const written = writeBlock(root, 'CLAUDE.local.md', block);
  if (written.kind !== 'written') problems.push(`with room: ${JSON.stringify(written)}`);
  fill(filler, 0);
  const kept = unwriteBlock(root, 'CLAUDE.local.md');
  if (kept.kind !== 'refused' || !readFileSync(file, 'utf8').includes('fw_a')) problems.push('removal on a full disk');
  rmSync(filler);
  unwriteBlock(root, 'CLAUDE.local.md');
  if (readFileSync(file, 'utf8') !== RULES) problems.push('not as it was at the end');
  rmSync(root, { recursive: true });
  process.stdout.write(`${JSON.stringify({ problems })}\n`);
}

/** Leaves `pages` pages of 4 KiB, at most some of what a file of ours needs. */
function fill(filler: string, pages: number): void {
  const disk = statfsSync(folder);
  writeFileSync(filler, Buffer.alloc(Math.max(0, disk.bavail * disk.bsize - (pages % 10) * 4096)));
}
