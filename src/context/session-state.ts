// `.foreword/session-state.json`, for other tools: finished, blocked and running tasks, and the breakers. A failed write
// never fails the work: it is reported, and the file stays as it was.

import type { Clock } from '../kernel/clock.ts';
import { mapStrings } from '../kernel/map-strings.ts';
import { asciiJson } from '../kernel/safe-text.ts';
import type { Stamp } from '../kernel/stamp.ts';
import type { Stores } from '../kernel/stores.ts';
import { replaceOwnFile } from '../system/files/own-folder.ts';
import { buildMinimalState, type MinimalState } from './prompt.ts';

export interface SessionState extends MinimalState {
  readonly updated_at: string;
  readonly running: readonly { readonly task_id: string; readonly intent: string; readonly since: string }[];
  readonly breakers: Readonly<Record<string, unknown>>;
}

export interface StateAsk {
  readonly stores: Stores;
  /** The name when no task file that was run names the project. */
  readonly project: string;
  readonly historySize: number;
  readonly maxBlockers: number;
  now(): number;
}

export interface KeptState extends StateAsk {
  redact(text: string): string;
  /** Replaces the file atomically; may throw. */
  write(text: string): void;
  onFailure(reason: string): Promise<void>;
}

/** What `sessionStateDump` needs from an open project. */
export interface DumpedProject {
  readonly root: string;
  readonly config: {
    readonly project: string;
    readonly state: { readonly dump: boolean };
    readonly history: { readonly size: number; readonly maxBlockers: number };
  };
  readonly clock: Pick<Clock, 'now'>;
  readonly stamp: Stamp;
  redact(text: string): string;
  /** For the person. */
  note(text: string): void;
}

/** Keeps the file up to date when `state.dump` is set; `undefined` when it is not. A failure is printed and logged in the
 *  journal. */
export function sessionStateDump(
  project: DumpedProject,
): ((stores: Stores) => ReturnType<typeof keepSessionState>) | undefined {
  const { root, config, clock, redact } = project;
  if (!config.state.dump) return undefined;
  return (stores) =>
    keepSessionState({
      stores,
      project: config.project,
      historySize: config.history.size,
      maxBlockers: config.history.maxBlockers,
      now: () => clock.now(),
      redact,
      write: (text) => replaceOwnFile(root, { name: 'session-state.json', text }),
      onFailure: async (reason) => {
        project.note(`session-state.json was not written: ${reason}`);
        await stores.journal.append(project.stamp({ kind: 'state-dump-failed', reason }));
      },
    });
}

/** `changed` is called after each change and returns at once; while one dump is written, further changes are gathered
 *  into the next. `settled` resolves when the file shows the last change. */
export function keepSessionState(kept: KeptState): { changed(): void; settled(): Promise<void> } {
  let isDue = false;
  let running: Promise<void> | undefined;
  const drain = async (): Promise<void> => {
    while (isDue) {
      isDue = false;
      try {
        kept.write(`${asciiJson(mapStrings(await composeSessionState(kept), kept.redact), 2)}\n`);
      } catch (error) {
        await kept.onFailure(error instanceof Error ? error.message : String(error)).catch(() => undefined);
      }
    }
    running = undefined;
  };
  return {
    changed: () => {
      isDue = true;
      running ??= drain();
    },
    settled: async () => {
      await running;
    },
  };
}

export async function composeSessionState(ask: StateAsk): Promise<SessionState> {
  const { tasks, breakers } = ask.stores;
  const records = await tasks.list();
  return {
    ...buildMinimalState({
      project: (await nameInRuns(ask.stores)) ?? ask.project,
      finished: await tasks.recentFinished(ask.historySize),
      blocked: await tasks.blocked(),
      historySize: ask.historySize,
      maxBlockers: ask.maxBlockers,
    }),
    updated_at: new Date(ask.now()).toISOString(),
    running: records
      .filter((record) => record.status === 'running')
      .map((record) => ({ task_id: record.task_id, intent: record.intent, since: record.updated_at })),
    breakers: Object.fromEntries((await breakers.list()).map(({ id, value }) => [id, value])),
  };
}

/** As the task file that was run last names it. */
async function nameInRuns({ runs }: Stores): Promise<string | undefined> {
  const named = (await runs.list()).map(({ value }) => value).filter(({ project }) => project !== undefined);
  return named.sort((one, other) => Date.parse(one.updatedAt) - Date.parse(other.updatedAt)).at(-1)?.project;
}
