import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { parse as parseToml } from 'smol-toml';
import { expect, test } from 'vitest';
import { scaled } from '../../../test/scale.ts';
import { lab } from './lab.ts';

test('its configuration stays well-formed whatever the folder is called', () => {
  fc.assert(
    fc.property(fc.string({ minLength: 1 }), (name) => {
      const odd = {
        home: '/lab/home',
        modelUrl: 'http://127.0.0.1:8099',
        project: `/lab/${name.replaceAll(/[\0/\ud800-\udfff]/g, '_')}`,
      };
      const text = lab.files(odd, new Set())['/lab/home/.codex/config.toml'] ?? '';
      expect(parseToml(text)).toMatchObject({ projects: { [odd.project]: { trust_level: 'trusted' } } });
    }),
    { numRuns: scaled(1000) },
  );
});

test('it writes a file by a shell command that keeps every character', () => {
  const folder = mkdtempSync(join(tmpdir(), 'foreword-lab-'));
  try {
    const path = join(folder, "it's a file");
    for (const content of ["it's", '$HOME `id` "quoted"', '100 %s\n\\n', '']) {
      const { input } = lab.fileCall(path, content);
      execFileSync('sh', ['-c', String(input.cmd)]);
      expect(readFileSync(path, 'utf8')).toBe(content);
    }
  } finally {
    rmSync(folder, { recursive: true });
  }
});
