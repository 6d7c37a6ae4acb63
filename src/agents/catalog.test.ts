// The lists are made from the folders; what a folder must have.

import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { AGENTS } from './index.ts';
import { TRANSCRIPTS } from './transcripts.ts';

const here = import.meta.dirname;
const folders = readdirSync(here, { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map(({ name }) => name)
  .sort();

test('every folder is an agent of that name, listed', () => {
  expect(AGENTS.map(({ name }) => name)).toEqual(folders);
});

describe.each(folders)('%s', (name) => {
  const has = (file: string) => existsSync(join(here, name, file));

  test('has samples of its output', () => {
    expect(has('samples.test.ts'), `src/agents/${name}/samples.test.ts is missing`).toBe(true);
    expect(readFileSync(join(here, name, 'samples.test.ts'), 'utf8')).toContain('checkSamples(agent, [');
  });

  test('has recorded screens if it has a terminal interface', () => {
    const { interactive } = AGENTS.find((agent) => agent.name === name) ?? {};
    expect(has('screens'), `src/agents/${name}/screens/ and \`interactive\` go together`).toBe(
      interactive !== undefined,
    );
  });

  test('has a name that a command line and a file name take', () => {
    expect(name).toMatch(/^[a-z][a-z0-9-]*$/);
  });
});

test.each(Object.keys(TRANSCRIPTS))('the format of %s has a transcript and its test', (name) => {
  expect(readFileSync(join(here, name, 'transcript.test.ts'), 'utf8')).toContain('checkTranscript(');
  expect(existsSync(join(here, name, 'transcript.jsonl'))).toBe(true);
});
