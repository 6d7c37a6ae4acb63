// Runs the person's command (`run.notify`) with an event on its standard input. One at a time, each for ten seconds at most; the
// run does not wait for it before its end, and a command that fails is only noted.

import type { NewEvent } from '../../kernel/events.ts';
import type { RunProcess } from '../../kernel/process.ts';
import { asciiJson, oneLine } from '../../kernel/safe-text.ts';
import type { Task } from '../../kernel/task.ts';
import { childEnvironment } from '../../system/processes/environment.ts';
import { findProgram, pathOutside } from '../../system/processes/find-program.ts';
import { type Notification, notificationFor } from './notification.ts';

export interface Notifier {
  /** After the event is stored. */
  see(event: NewEvent): void;
  /** Resolves when every command ended. */
  settled(): Promise<void>;
}

interface NotifierParts {
  readonly command: readonly string[] | undefined;
  readonly root: string;
  readonly tasks: readonly Task[];
  readonly variables: Readonly<Record<string, string | undefined>>;
  readonly startProcess: RunProcess;
  now(): number;
  redact(text: string): string;
  /** Why the command must not be run: a file that it names is not what a person agreed to. */
  refusal(cwd: string): string | undefined;
  note(text: string): void;
}

const TIMEOUT_MS = 10_000;
/** After this many failures in a row it is not run again: a run of a night would wait for it for hours. */
const MOST_FAILURES = 3;
/** What a program needs to reach the person's desktop. */
const DESKTOP = ['DISPLAY', 'WAYLAND_DISPLAY', 'DBUS_SESSION_BUS_ADDRESS', 'XAUTHORITY'];

export function openNotifier(parts: NotifierParts): Notifier {
  const { command } = parts;
  if (command === undefined) return { see: () => undefined, settled: async () => undefined };
  const stuck = new Set<string>();
  const done = new Set<string>();
  let failures = 0;
  let last = Promise.resolve();
  const call = async (event: NewEvent, what: Notification, at: number): Promise<void> => {
    if (failures >= MOST_FAILURES) return;
    const fault = await runCommand(parts, command, { at: new Date(at).toISOString(), text: what.text, event });
    failures = fault === undefined ? 0 : failures + 1;
    if (fault === undefined) return;
    parts.note(`run.notify ${fault}${failures < MOST_FAILURES ? '' : '; it is not run again in this run'}`);
  };
  return {
    see: (event) => {
      const now = parts.now();
      const what = notificationFor(event, { tasks: parts.tasks, stuck, now });
      if (event.kind === 'task-finished' && event.status !== 'completed') stuck.add(event.task);
      if (what === undefined || done.has(what.key)) return;
      done.add(what.key);
      last = last.then(() => call(event, what, now));
    },
    settled: () => last,
  };
}

interface Sent {
  readonly at: string;
  readonly text: string;
  readonly event: NewEvent;
}

/** What went wrong; `undefined` when it ended with 0. */
async function runCommand(
  parts: NotifierParts,
  command: readonly string[],
  { at, text, event }: Sent,
): Promise<string | undefined> {
  const { root, variables } = parts;
  const refusal = parts.refusal(root);
  if (refusal !== undefined) return `was not run: ${refusal}`;
  const [program = '', ...args] = command;
  const where = { path: variables.PATH ?? '', cwd: root };
  const found = findProgram(program, where);
  const base = found === undefined ? { ...variables, PATH: pathOutside(where) } : variables;
  const end = await parts.startProcess({
    command: [found ?? program, ...args],
    cwd: root,
    env: childEnvironment({ base, names: DESKTOP }),
    input: `${parts.redact(asciiJson({ at, project: root, text, ...event }))}\n`,
    timeoutMs: TIMEOUT_MS,
  });
  if (end.startError !== undefined) return `did not start: ${end.startError}`;
  if (end.endedBy === 'timeout') return `took longer than ${TIMEOUT_MS / 1000} s`;
  if (end.exitCode === 0) return undefined;
  const how = end.exitCode === null ? `was ended by ${end.signal ?? 'a signal'}` : `exited with ${end.exitCode}`;
  const reason = oneLine(end.stderr.text.trim().split('\n').at(-1) ?? '', 200);
  return `${how}${reason === '' ? '' : `: ${reason}`}`;
}
