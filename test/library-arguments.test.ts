// Whatever JavaScript hands to the library: each exported function refuses it with what is expected, or returns what docs/api.md says.
// No error comes from somewhere inside.

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';

type Callable = ((...args: unknown[]) => unknown) & (new (...args: unknown[]) => unknown);

const library: Readonly<Record<string, Callable>> = await import(
  pathToFileURL(join(import.meta.dirname, '../dist/index.js')).href
);

const WRONG: readonly (readonly unknown[])[] = [
  [],
  [null],
  [42],
  ['text'],
  [[]],
  [{}],
  [{}, {}],
  [() => 1],
  [{ attempts: 'x', tasks: 42, cwd: 42, criteria: 'x', command: 'ls' }, 42],
];

/** These have an answer to everything: no attempts, no hand-over; an error is of ours or not; an error can be made of anything. */
const TOTAL = [
  'buildCircuitBreakerContext',
  'buildHelperAgentContext',
  'buildRetryContext',
  'composeHandover',
  'detectTaskLoop',
  'ForewordError',
  'isForewordError',
  'openProject',
];

let folder: string;
const home = process.env.HOME;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'foreword-library-'));
  process.env.HOME = folder;
});
afterAll(() => {
  process.env.HOME = home;
  rmSync(folder, { recursive: true, force: true });
});

const functions = Object.entries(library).filter(([, value]) => typeof value === 'function');

test('there are functions to call', () => {
  expect(functions.length).toBeGreaterThan(20);
});

test.each(functions)('%s refuses wrong arguments with what is expected', async (name, called) => {
  for (const args of WRONG) {
    const made = /^[A-Z]/.test(name) ? async () => new called(...args) : async () => called(...args);
    const outcome = await made().then(
      async (value) => {
        await (value as { close?: () => Promise<void> } | undefined)?.close?.();
        return 'returned';
      },
      (error: unknown) => error,
    );
    const what = `${name}(${JSON.stringify(args)})`;
    if (outcome === 'returned') expect(TOTAL, what).toContain(name);
    else {
      expect(outcome, what).toMatchObject({ name: 'ForewordError', message: expect.stringMatching(/\S/) });
      const { hint, faults } = outcome as { readonly hint?: string; readonly faults: readonly unknown[] };
      expect(hint !== undefined || faults.length > 0, `${what}: a hint, or faults`).toBe(true);
    }
  }
});
