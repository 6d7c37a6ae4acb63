// What a made-up transcript must prove, the same for every agent. Called by transcript.test.ts in the agent's folder. Ids say
// what should become of them: `fw_never…` stands where no model saw it, `fw_dropped…` was printed and went nowhere.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Channel, Proof } from '../src/kernel/receipt.ts';
import { type TranscriptSpec, type TranscriptText, textsInRecord } from '../src/kernel/transcript.ts';
import { proofIn } from '../src/sessions/proof-search.ts';

/** What can be proven of a text of the start hook, of the prompt hook, of an instruction file, and of one that a hook printed
 *  and the agent dropped. Absent: nothing. */
export interface Provable {
  readonly start?: Proof;
  readonly prompt?: Proof;
  readonly file?: Proof;
  readonly dropped?: Proof;
}

function textsOf(folder: string, spec: TranscriptSpec): readonly TranscriptText[] {
  const lines = readFileSync(join(folder, 'transcript.jsonl'), 'utf8').trimEnd().split('\n');
  return lines.flatMap((line, index) => textsInRecord(spec, JSON.parse(line), `${index + 1}`));
}

/** Each text as one line: where, kind, role, whether a person wrote it, whether it is a sub-agent's. */
export function whoSaidIt(folder: string, spec: TranscriptSpec): readonly string[] {
  return textsOf(folder, spec).map(({ kind, role, isHuman, isSubagent, evidence }) =>
    [evidence, kind, role, isHuman, isSubagent].map(String).join(' '),
  );
}

export function checkTranscript(folder: string, spec: TranscriptSpec, provable: Provable): void {
  const texts = textsOf(folder, spec);
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

  test('what can be proven of hooks and instruction files', () => {
    const found = ['start', 'prompt', 'file', 'dropped'].flatMap((what) => {
      const proof = proofIn(texts, { id: `fw_${what}1` })?.proof;
      return proof === undefined ? [] : [[what, proof] as const];
    });
    expect(Object.fromEntries(found)).toEqual(provable);
  });
}
