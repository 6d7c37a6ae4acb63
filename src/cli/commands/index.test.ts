import { readdirSync } from 'node:fs';
import { expect, test } from 'vitest';
import { COMMANDS } from './index.ts';

test('every file of this folder is a command in the list, under its own name', async () => {
  const files = readdirSync(import.meta.dirname).filter((name) => !name.startsWith('index'));
  expect(files.map((name) => name.replace('.ts', '')).sort()).toEqual(Object.keys(COMMANDS).sort());
  for (const [name, load] of Object.entries(COMMANDS)) {
    const command = await load();
    expect(command.name).toBe(name);
    expect(command.examples.length).toBeGreaterThan(0);
  }
});
