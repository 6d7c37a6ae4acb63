// Made-up transcripts in the shape of real ones. Ids say what should become of them: `fw_never…` stands where no model saw
// it, `fw_dropped…` was printed and went nowhere.

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Channel } from '../../kernel/receipt.ts';
import { type TranscriptText, textsInRecord } from '../../kernel/transcript.ts';
import { proofIn } from '../proof-search.ts';
import { TRANSCRIPTS } from './formats.ts';

const FIXTURES = join(import.meta.dirname, 'fixtures');

function textsOf(agent: string): readonly TranscriptText[] {
  const spec = TRANSCRIPTS[agent];
  if (spec === undefined) throw new Error(`no format of ${agent}`);
  const lines = readFileSync(join(FIXTURES, `${agent}.jsonl`), 'utf8')
    .trimEnd()
    .split('\n');
  return lines.flatMap((line, index) => textsInRecord(spec, JSON.parse(line), `${agent}:${index + 1}`));
}

test('every format has a transcript, and every transcript a format', () => {
  expect(readdirSync(FIXTURES).sort()).toEqual(
    Object.keys(TRANSCRIPTS)
      .sort()
      .map((agent) => `${agent}.jsonl`),
  );
});

describe.each(Object.keys(TRANSCRIPTS))('%s', (agent) => {
  const texts = textsOf(agent);
  const proofOf = (id: string, channels: readonly Channel[], replyCode?: string) =>
    proofIn(texts, { id, channels, ...(replyCode === undefined ? {} : { replyCode }) })?.proof;

  test('a typed text is served, and acknowledged by its code in an answer alone', () => {
    expect(proofOf('fw_typed1', ['typed'])).toBe('served');
    expect(proofOf('fw_typed1', ['typed'], '7QX4')).toBe('acknowledged');
    expect(proofOf('fw_typed1', ['typed'], '9ZZ9')).toBe('served');
    expect(proofOf('fw_typed', ['typed'])).toBeUndefined();
  });

  test("what a tool's output names is given to the model, but is no typed text", () => {
    expect(proofOf('fw_listed1', ['typed'])).toBeUndefined();
    expect(proofOf('fw_listed1', ['hook'])).toBe('served');
  });

  test('what no model saw proves nothing, and what was printed is placed at most', () => {
    for (const number of [1, 2, 3, 4]) expect(proofOf(`fw_never${number}`, ['hook', 'file'])).toBeUndefined();
    expect(['placed', undefined]).toContain(proofOf('fw_dropped1', ['hook']));
    expect(proofOf('fw_side1', ['hook'])).toBeUndefined();
  });
});

test('what can be proven of hooks and instruction files, agent by agent', () => {
  const rows = Object.keys(TRANSCRIPTS).map((agent) => {
    const texts = textsOf(agent);
    const proofs = ['fw_start1', 'fw_prompt1', 'fw_file1', 'fw_dropped1'].map(
      (id) => proofIn(texts, { id })?.proof ?? '-',
    );
    return `${agent.padEnd(9)}${proofs.map((proof) => proof.padEnd(11)).join('')}`.trimEnd();
  });
  expect(`\n${['         start      prompt     file       dropped', ...rows].join('\n')}\n`).toMatchInlineSnapshot(`
    "
             start      prompt     file       dropped
    claude   served     served     served     placed
    codex    served     served     served     -
    copilot  submitted  served     served     -
    gemini   served     served     served     placed
    opencode -          served     -          -
    pi       served     served     served     -
    qwen     -          served     -          placed
    "
  `);
});

test('who said it, where it stands', () => {
  const shown = (agent: string) =>
    textsOf(agent).map(({ kind, role, isHuman, isSubagent, evidence }) =>
      [evidence, kind, role, isHuman, isSubagent].map(String).join(' '),
    );
  expect(shown('claude')).toMatchInlineSnapshot(`
    [
      "claude:2 printed hook undefined undefined",
      "claude:3 given system undefined undefined",
      "claude:4 printed hook undefined undefined",
      "claude:5 given user true undefined",
      "claude:6 given user undefined undefined",
      "claude:7 given system undefined undefined",
      "claude:8 given user undefined undefined",
      "claude:9 given system undefined undefined",
      "claude:11 answer assistant undefined undefined",
      "claude:12 given tool undefined undefined",
      "claude:13 given user false true",
    ]
  `);
  expect(shown('codex')).toMatchInlineSnapshot(`
    [
      "codex:1 given system undefined undefined",
      "codex:3 given user false undefined",
      "codex:5 given developer false undefined",
      "codex:6 given user true undefined",
      "codex:7 given developer false undefined",
      "codex:11 given tool undefined undefined",
      "codex:12 answer assistant undefined undefined",
    ]
  `);
});
