// The sizes of the last xray of each agent and project, kept for this person, so that the next one says what changed. A file that cannot be
// read counts as absent.

import { readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { replaceFile } from '../../system/files/atomic.ts';
import { makeFolder } from '../../system/files/make-folder.ts';
import { personState } from '../../system/files/project-state.ts';
import { isFields, listOf } from '../model/json.ts';
import type { XrayTotals } from './result.ts';

export interface KeptXray {
  readonly agent: string;
  readonly project: string;
  /** ISO time. */
  readonly at: string;
  readonly totals: XrayTotals;
}

const FORMAT = 1;
const MOST_KEPT = 100;

/** Keeps this one, and returns the one before. */
export function keepXray(state: string, fresh: KeptXray): KeptXray | undefined {
  const file = personState(state).xray;
  const kept = read(file);
  const isSame = (one: KeptXray) => one.agent === fresh.agent && one.project === fresh.project;
  const runs = [...kept.filter((one) => !isSame(one)), fresh].slice(-MOST_KEPT);
  makeFolder(dirname(file));
  replaceFile(file, `${JSON.stringify({ format: FORMAT, runs }, null, 2)}\n`, { mode: 0o600 });
  return kept.find(isSame);
}

function read(file: string): readonly KeptXray[] {
  try {
    const value: unknown = JSON.parse(readFileSync(file, 'utf8'));
    if (!isFields(value) || value.format !== FORMAT) return [];
    return listOf(value.runs).filter(isKept);
  } catch {
    return [];
  }
}

function isKept(value: unknown): value is KeptXray {
  if (!isFields(value) || !isFields(value.totals)) return false;
  const { agent, project, at, totals } = value;
  const isOwner = (one: unknown) => isFields(one) && isFields(one.owner) && typeof one.tokens === 'number';
  return [agent, project, at].every((one) => typeof one === 'string') && listOf(totals.owners).every(isOwner);
}
