import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../../../../test/bundle.ts';
import { removeExpired, writeBlock } from './managed-block-file.ts';

const OLD = { id: 'fw_old1', body: 'x', expiresAt: '2020-01-01T00:00:00.000Z' };

test('a block that a clone brings takes no folder with it but those below the root', () => {
  const top = temporaryFolder('managed-block-file');
  try {
    const root = join(top, 'a/b/project');
    mkdirSync(root, { recursive: true });
    writeBlock(top, 'one/two/three/CLAUDE.md', OLD);
    const planted = readFileSync(join(top, 'one/two/three/CLAUDE.md'));
    expect(planted.toString()).toContain('file new+3');
    mkdirSync(join(root, '.github'));
    for (const path of ['CLAUDE.md', '.github/copilot-instructions.md']) writeFileSync(join(root, path), planted);
    const paths = ['CLAUDE.md', '.github/copilot-instructions.md'];
    expect(removeExpired(root, '2026-01-01T00:00:00.000Z', paths)).toMatchObject([
      { kind: 'removed', isDeleted: true },
      { kind: 'removed', isDeleted: true },
    ]);
    expect([existsSync(root), existsSync(join(root, '.github'))]).toEqual([true, false]);
  } finally {
    rmSync(top, { recursive: true });
  }
});
