import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { recipes } from './recipe.ts';
import { makeScratch } from './scratch.ts';

let base = '';
beforeEach(() => {
  base = mkdtempSync(join(tmpdir(), 'foreword-scratch-'));
});
afterEach(() => rmSync(base, { recursive: true, force: true }));

const modelUrl = 'http://127.0.0.1:8099';

test.each(recipes)('a scratch for $agent has its files, and is gone when removed', async (recipe) => {
  const scratch = makeScratch(recipe, { folder: join(base, 'one'), modelUrl });
  const files = recipe.files({ home: scratch.home, project: scratch.project, modelUrl }, new Set());
  for (const [path, content] of Object.entries(files)) expect(readFileSync(path, 'utf8')).toBe(content);
  expect(statSync(scratch.project).isDirectory()).toBe(true);
  await scratch.remove();
  expect(existsSync(join(base, 'one'))).toBe(false);
  await scratch.remove();
});

test.each(recipes)('$agent is told nothing of ours', (recipe) => {
  process.env.FOREWORD_SCRATCH_PROBE = 'seen';
  try {
    const { env } = makeScratch(recipe, { folder: join(base, 'one'), modelUrl, path: ['/opt/agent/bin'] });
    expect(Object.values(env)).not.toContain('seen');
    // The first has an ssh that reads no settings of a person.
    expect(env.PATH?.split(':').slice(0, 2)).toEqual([join(base, 'one/bin'), '/opt/agent/bin']);
    expect(env.HOME).toBe(join(base, 'one/home'));
    // One agent refuses a home below the folder for temporary files.
    expect(relative(env.TMPDIR ?? '', env.HOME ?? '')).toMatch(/^\.\./);
  } finally {
    delete process.env.FOREWORD_SCRATCH_PROBE;
  }
});

test('the folder goes by its real name, by which trust is remembered', () => {
  symlinkSync(base, `${base}-link`);
  try {
    const scratch = makeScratch(recipes[0] ?? expect.fail(), { folder: join(`${base}-link`, 'one'), modelUrl });
    expect(scratch.project).toBe(join(base, 'one/project'));
  } finally {
    rmSync(`${base}-link`);
  }
});
