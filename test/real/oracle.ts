// The hostile oracle: what receipts claim, held against what the model recorded. A claim that no answered request confirms fails
// the test, whatever else the test is about.

import { appendFileSync } from 'node:fs';
import { expect } from 'vitest';
import { isAtLeast, type Proof } from '../../src/kernel/receipt.ts';
import { holds, type RecordedRequest } from '../../src/verify/model/record.ts';
import type { Model } from '../../src/verify/model/server.ts';
import { IS_LONG } from '../scale.ts';
import type { RealField } from './field.ts';

export interface Listed {
  readonly id: string;
  readonly moment: string;
  readonly channel: string;
  readonly proof: Proof;
  readonly outcome: string;
}

export async function listed(of: RealField): Promise<readonly Listed[]> {
  return JSON.parse((await of.must('receipts', '--json')).stdout).receipts;
}

/** Those that say a model was given it, or that it is delivered. */
export function claimsIn(all: readonly Listed[]): readonly Listed[] {
  return all.filter(({ proof, outcome }) => isAtLeast(proof, 'served') || outcome === 'delivered');
}

export async function claims(of: RealField): Promise<readonly Listed[]> {
  return claimsIn(await listed(of));
}

/** The claims that no answered turn confirms. */
export function untrueIn(all: readonly Listed[], requests: readonly RecordedRequest[]): readonly Listed[] {
  const confirming = requests.filter(isAnswered);
  return claimsIn(all).filter(({ id }) => !confirming.some((request) => holds(request, id)));
}

function isAnswered({ isMain, status }: RecordedRequest): boolean {
  return isMain && status === 200;
}

export function answered(...models: readonly (Model | undefined)[]): readonly RecordedRequest[] {
  return models.flatMap((model) => model?.requests() ?? []).filter(isAnswered);
}

/** Why deliveries wait, all of them. */
export async function reasons(of: RealField): Promise<readonly string[]> {
  return (await of.sessions()).flatMap(({ waiting }) => waiting.map(({ reason }) => reason));
}

/** Agents of which every row is started most often. */
const USUAL = ['claude', 'codex', 'gemini'];

/** How often a row is started: once in the everyday run; in the long one 20 times, 5 with the other agents, and 3 where the agent
 *  itself tries again for minutes. FOREWORD_TEST_STARTS sets another number. */
export function startsOf(name: string, isSlow = false): number {
  const { FOREWORD_TEST_STARTS: wanted } = process.env;
  if (wanted !== undefined) return Number(wanted);
  if (!IS_LONG) return 1;
  return isSlow ? 3 : USUAL.includes(name) ? 20 : 5;
}

/** Fails on a claim that nothing confirms. A line for each start goes to the file that FOREWORD_TEST_COUNTS names. */
export async function expectTrue(of: RealField, row: string, ...models: readonly (Model | undefined)[]): Promise<void> {
  const all = await listed(of);
  const untrue = untrueIn(all, answered(of.model, ...models));
  const { FOREWORD_TEST_COUNTS: file } = process.env;
  const { agent } = of.recipe;
  const count = { agent, row, receipts: all.length, claimed: claimsIn(all).length, untrue: untrue.length };
  if (file !== undefined) appendFileSync(file, `${JSON.stringify(count)}\n`);
  expect(untrue, `${agent}, ${row}: ${JSON.stringify(all)}`).toEqual([]);
}
