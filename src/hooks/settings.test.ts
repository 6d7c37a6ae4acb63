import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { temporaryFolder } from '../../test/bundle.ts';
import { readConfig, settings, variableOf } from '../config/load.ts';
import { DEFAULTS, readHookSettings } from './settings.ts';

let root: string;
beforeEach(() => {
  root = temporaryFolder('hook-settings');
  mkdirSync(join(root, '.foreword'));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

const NAMES = ['gate.mode', 'gate.files', 'gate.mustRead', 'gate.budgetChars', 'prompt.maxChars', 'redact.variables'];

test('a hook has the same defaults as everybody else', async () => {
  const { gate, prompt, redact } = readConfig({ root, env: {} }).config;
  expect(await readHookSettings(root, {})).toEqual({
    ...gate,
    promptChars: prompt.maxChars,
    secretVariables: redact.variables,
    faults: [],
  });
  expect(DEFAULTS.files).toEqual(gate.files);
});

test('a hook reads the same settings, from the file and from variables', async () => {
  const text =
    'gate: { mode: directive, files: [a.md, b.md], mustRead: [b.md], budgetChars: 900 }\nprompt: { maxChars: 0 }\nredact: { variables: [MINE] }\n';
  writeFileSync(join(root, '.foreword/config.yaml'), text);
  const { gate, prompt, redact } = readConfig({ root, env: {} }).config;
  const expected = { ...gate, promptChars: prompt.maxChars, secretVariables: redact.variables, faults: [] };
  expect(await readHookSettings(root, {})).toEqual(expected);
  const env = {
    FOREWORD_GATE_MODE: 'inline',
    FOREWORD_GATE_FILES: 'c.md, d.md',
    FOREWORD_GATE_MUST_READ: 'd.md',
    FOREWORD_GATE_BUDGET_CHARS: '1000',
    FOREWORD_PROMPT_MAX_CHARS: '500',
    FOREWORD_REDACT_VARIABLES: 'OTHER',
  };
  const stronger = readConfig({ root, env }).config;
  expect(await readHookSettings(root, env)).toEqual({
    ...stronger.gate,
    promptChars: stronger.prompt.maxChars,
    secretVariables: stronger.redact.variables,
    faults: [],
  });
  const known = new Set<string>(settings().map(([name]) => name));
  for (const name of NAMES) {
    expect(known).toContain(name);
    expect(Object.keys(env)).toContain(variableOf(name));
  }
});
