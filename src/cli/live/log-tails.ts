// The last lines of agents that work now, from the ends of their logs: the process that runs them may be another one.

import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs';
import { agentsOf } from '../../app/agents.ts';
import type { Project } from '../../app/project.ts';
import type { OutputSpec } from '../../kernel/agent.ts';
import type { TaskRecord } from '../../kernel/task.ts';
import { lastReadable } from '../../runs/agent-output/last-line.ts';

const MOST_BYTES = 32 * 1024;

export interface LogTails {
  /** By task; a log that cannot be read has no line. Logs have no secrets in them. */
  read(running: readonly TaskRecord[]): ReadonlyMap<string, string>;
}

export function openLogTails(project: Project): LogTails {
  let outputs: ReadonlyMap<string, OutputSpec | undefined> | undefined;
  /** The end of a log is read once, until it grows. */
  const known = new Map<string, { readonly size: number; readonly line: string | undefined }>();
  return {
    read: (running) => {
      if (running.length === 0) return new Map();
      outputs ??= new Map(agentsOf(project).map(({ name, oneshot }) => [name, oneshot?.output]));
      const places = project.state.runs();
      const lines = new Map<string, string>();
      for (const { task_id, current } of running) {
        if (current === undefined || current.ended !== undefined) continue;
        const path = places.task(task_id).log(current.attempt);
        const tail = readTail(path, known.get(path)?.size);
        if (tail !== undefined && tail.text !== undefined)
          known.set(path, { size: tail.size, line: lastReadable(outputs.get(current.agent), tail.text) });
        const line = tail === undefined ? undefined : known.get(path)?.line;
        if (line !== undefined) lines.set(task_id, project.redact(line));
      }
      return lines;
    },
  };
}

/** `text` is absent when the size is still `before`. */
function readTail(path: string, before: number | undefined): { size: number; text?: string } | undefined {
  let descriptor: number | undefined;
  try {
    descriptor = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
    const { size } = fstatSync(descriptor);
    if (size === before) return { size };
    const bytes = Buffer.alloc(Math.min(size, MOST_BYTES));
    const count = readSync(descriptor, bytes, 0, bytes.length, size - bytes.length);
    return { size, text: new TextDecoder().decode(bytes.subarray(0, count)) };
  } catch {
    // It did not begin, or was cleaned away.
    return undefined;
  } finally {
    if (descriptor !== undefined) closeSync(descriptor);
  }
}
