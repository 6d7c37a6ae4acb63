// What a made-up transcript must prove, the same for every agent. Called by transcript.test.ts in the agent's folder. Ids say
// what should become of them: `fw_never…` stands where no model saw it, `fw_dropped…` was printed and went nowhere.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Channel, Proof } from '../src/kernel/receipt.ts';
import { isOfSubagent, type TranscriptSpec, type TranscriptText, textsInRecord } from '../src/kernel/transcript.ts';
import { proofIn } from '../src/sessions/proof-search.ts';
import { followConversations } from '../src/sessions/transcripts/conversation.ts';

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

/** Records as the agent writes them; each is one value or several. Every function is asked for new ones. */
export interface Exchange {
  /** A prompt with this text; `after` is the id of the record that it goes on from. */
  readonly prompt: (text: string, id: string, after: string) => unknown;
  /** Something of the model: an answer, a tool call, a thought. */
  readonly replies: Readonly<Record<string, (id: string, after: string) => unknown>>;
  /** What it writes instead when the service fails, and the words for it. */
  readonly faults: readonly (readonly [reason: string, record: unknown])[];
  /** What it writes when the model is no longer sent what came before. */
  readonly forgets: Readonly<Record<string, unknown>>;
  /** What stands in its log and is nothing of the model. */
  readonly others?: Readonly<Record<string, unknown>>;
  /** The records in which the model of a sub-agent answers, the first of its file first where it has one of its own. `none`: its
   *  answers stand nowhere that is read. */
  readonly subagent: unknown;
}

/** A text is served when a model answered to it, and not before. */
export function checkExchange(spec: TranscriptSpec, made: Exchange): void {
  const read = (...records: readonly unknown[]) =>
    records.flat().flatMap((record, index) => textsInRecord(spec, record, `log:${index + 1}`));
  const proof = (...records: readonly unknown[]) =>
    proofIn(read(...records), { id: 'fw_a1', channels: ['typed'] })?.proof;
  const reasons = (...records: readonly unknown[]) =>
    followConversations({}, read(...records)).failed.map(({ reason }) => reason);
  const ours = made.prompt('[fw_a1] Read this.', 'r1', '');
  const next = made.prompt('Go on.', 'r3', 'r1');
  const [reply] = Object.values(made.replies);
  const answer = (id: string, after: string) => reply?.(id, after);

  test('its own words alone are submitted', () => {
    expect(proof(ours)).toBe('submitted');
    expect(proof(answer('r0', ''), ours)).toBe('submitted');
    for (const other of Object.values(made.others ?? {})) expect(proof(ours, other)).toBe('submitted');
  });

  test.each(Object.entries(made.replies))('they are served by %s behind them', (_, make) => {
    expect(proof(ours, make('r2', 'r1'))).toBe('served');
  });

  test.each(made.faults)('%s keeps them submitted, and a later turn that holds them serves them', (reason, fault) => {
    expect(proof(ours, fault)).toBe('submitted');
    expect(reasons(ours, fault)).toEqual([reason]);
    expect(proof(ours, fault, next, answer('r4', 'r3'))).toBe('served');
    expect(reasons(ours, fault, next, answer('r4', 'r3'))).toEqual([]);
  });

  test.each(Object.entries(made.forgets))('%s in between: an answer proves nothing', (_, forgotten) => {
    expect(proof(ours, forgotten, next, answer('r4', 'r3'))).toBe('submitted');
    expect(proof(forgotten, ours, answer('r2', 'r1'))).toBe('served');
  });

  if (spec.branch !== undefined)
    test('an answer on another branch proves nothing', () => {
      const first = made.prompt('Hello.', 'r0', '');
      const later = made.prompt('[fw_a1] Read this.', 'r1', 'r0');
      const elsewhere = made.prompt('Rather that.', 'r2', 'r0');
      expect(proof(first, later, elsewhere, answer('r3', 'r2'))).toBe('submitted');
      expect(proof(first, later, made.prompt('And that.', 'r2', 'r1'), answer('r3', 'r2'))).toBe('served');
    });

  for (const begin of spec.outputs ?? [])
    test(`a list of receipts in ${begin} proves nothing about what stands in it`, () => {
      const output = made.prompt(`${begin}delivery  session\nfw_a1  claude\n`, 'r1', '');
      expect(proof(output)).toBeUndefined();
      expect(proof(output, answer('r2', 'r1'))).toBeUndefined();
    });

  if (made.subagent !== 'none')
    test('the model of a sub-agent proves nothing', () => {
      const [first, ...others] = [made.subagent].flat();
      const isOfOne = isOfSubagent(spec, first);
      const theirs = read(first, ...others).map((text) => (isOfOne ? { ...text, isSubagent: true } : text));
      expect(theirs.map(({ kind }) => kind)).toContain('reply');
      expect(proofIn([...read(ours), ...theirs], { id: 'fw_a1', channels: ['typed'] })?.proof).toBe('submitted');
    });
}
