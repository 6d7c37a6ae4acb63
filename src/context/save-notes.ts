// Saves notes for the next session: by a person or an agent, from the command or a tool. In the box of an agent of a run the state
// of the project is not there, and the notes stay with the attempt.

import type { ContinuityInput } from '../config/schemas/continuity.ts';
import type { Clock } from '../kernel/clock.ts';
import type { Continuity } from '../kernel/continuity.ts';
import { ForewordError, isForewordError } from '../kernel/errors.ts';
import type { NewEvent } from '../kernel/events.ts';
import type { Stores } from '../kernel/stores.ts';
import { environment } from '../system/environment.ts';
import { isInRun } from '../system/files/project-state.ts';
import { saveInAttempt } from './attempt-notes.ts';
import { checkContinuity, isEmpty, readContinuity } from './continuity.ts';
import { treeMark } from './tree-continuity.ts';

/** The part of an open project that is needed here. */
export interface NotedProject {
  readonly isCheckout: boolean;
  readonly clock: Clock;
  readonly state: { tree(): string; switchOn(): void };
  newId(prefix: string): string;
  writeStores(): Promise<Stores>;
  emit(event: NewEvent): Promise<void>;
}

/** Throws `bad-usage` when nothing is in them. */
export function checkNotes(input: ContinuityInput): ContinuityInput {
  const notes = checkContinuity(input, 'the notes');
  if (!isEmpty(notes)) return notes;
  throw new ForewordError('bad-usage', 'There is nothing to save.', {
    hint: 'Give text, flags such as --next, or text or JSON on standard input.',
  });
}

/** `undefined`: it is kept with the attempt. */
export async function saveNotes(
  project: NotedProject,
  notes: ContinuityInput,
  by: Continuity['by'],
): Promise<Continuity | undefined> {
  const attempt = attemptFolder(project);
  if (attempt !== undefined) {
    saveInAttempt(attempt, notes);
    return undefined;
  }
  const record: Continuity = {
    ...notes,
    id: project.newId('con'),
    savedAt: new Date(project.clock.now()).toISOString(),
    // In a checkout of a run, agents work.
    by: project.isCheckout ? 'agent' : by,
    ...treeMark(project.state.tree()),
  };
  const stores = await project.writeStores();
  project.state.switchOn();
  await stores.continuity.append(record);
  await project.emit({ kind: 'continuity-saved', continuity: record.id, by: record.by });
  return record;
}

/** For the command: an agent may run it in a sandbox that keeps it from our state. Its MCP servers run outside of that. */
export async function saveNotesByCommand(
  project: NotedProject,
  notes: ContinuityInput,
  by: Continuity['by'],
): Promise<Continuity | undefined> {
  try {
    return await saveNotes(project, notes, by);
  } catch (error) {
    if (!isForewordError(error) || error.code !== 'store-unreachable') throw error;
    const { code, message, hint = '' } = error;
    const other = 'In the sandbox of an agent: call the tool save of the MCP server foreword instead (foreword mcp).';
    throw new ForewordError(code, message, { hint: `${hint} ${other}`.trim(), cause: error });
  }
}

/** For a caller with JSON and no flags. Returns the sentence about it. */
export async function saveJson(project: NotedProject, json: string): Promise<string> {
  const record = await saveNotes(project, checkNotes(readContinuity(json, 'save')), 'agent');
  return savedText(record);
}

export function savedText(record: Continuity | undefined): string {
  return record === undefined
    ? 'Saved with this attempt. Put what the next attempt must know into your answer as well.'
    : 'Saved for the next session. foreword load shows what it will read.';
}

/** The folder of the attempt of an agent in its box, where the state of the project is not; `undefined` anywhere else. */
function attemptFolder({ isCheckout }: Pick<NotedProject, 'isCheckout'>): string | undefined {
  const env = environment();
  return !isCheckout && isInRun(env) ? env.FOREWORD_STATE : undefined;
}
