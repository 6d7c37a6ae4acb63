// What `foreword run` shows while it works: a live view on a terminal, lines with times elsewhere, JSON for programs.

import type { Project } from '../app/project.ts';
import type { Activity } from '../kernel/activity.ts';
import { usesOf } from '../kernel/attempt.ts';
import type { NewEvent } from '../kernel/events.ts';
import { FINISHED } from '../kernel/task.ts';
import { firstState } from '../reports/live/live-state.ts';
import type { Caps } from '../runs/budget/caps.ts';
import { environment } from '../system/environment.ts';
import { canRedraw, wantsColor } from './color.ts';
import type { Call } from './command.ts';
import { eventPrinter } from './event-printer.ts';
import { type LiveView, openLiveView } from './live/live-view.ts';

export interface ShownRun {
  update(event: NewEvent): void;
  /** Absent when nobody could see it. */
  readonly show?: (activity: Activity) => void;
  stopping(): void;
  /** Idempotent. */
  close(): void;
}

type Watched = Pick<Project, 'clock' | 'redact' | 'readStores'>;

export function openRunView(
  call: Call,
  project: Watched,
  what: { readonly tasks: readonly string[]; readonly caps: Caps },
): ShownRun {
  const { clock } = project;
  const note = 'foreword: stopping: agents have 5 seconds to end. A second signal ends them at once.';
  const nothing = { stopping: () => call.out.note(note), close: () => undefined };
  if (call.has('json'))
    return {
      ...nothing,
      update: (event) => call.out.jsonEvent({ at: new Date(clock.now()).toISOString(), ...event }),
    };
  const isTerminal = process.stdout.isTTY === true;
  if (canRedraw(environment(), isTerminal) && !call.has('dry-run')) return live(project, what);
  const print = eventPrinter((line) => call.out.print(line));
  return { ...nothing, update: (event) => print(event, clock.now()) };
}

function live(project: Watched, { tasks, caps }: Parameters<typeof openRunView>[2]): ShownRun {
  const { clock } = project;
  // As in events, from which secrets are removed.
  const ids = tasks.map((id) => project.redact(id));
  const hasColor = wantsColor(environment(), true);
  const first = { ...firstState(ids, { now: clock.now(), title: 'foreword run' }), caps };
  const view = openLiveView(process.stdout, first, { hasColor, now: () => clock.now() });
  const giveBack = takeNotes(view);
  return {
    update: (event) => {
      view.update(event);
      if (event.kind === 'run-opened') void showEarlier(project, view, event.run);
    },
    show: (activity) => view.show({ ...activity, task: project.redact(activity.task) }),
    stopping: () => view.stopping(),
    close: () => {
      view.close();
      giveBack();
    },
  };
}

/** Tasks that the run leaves as they are, and what its earlier attempts used. Comes before the first attempt of this call ended. */
async function showEarlier(project: Watched, view: LiveView, run: string): Promise<void> {
  try {
    const stores = await project.readStores();
    const records = await stores.tasks.list();
    const finished = records.filter(({ status }) => FINISHED.includes(status));
    view.finishedBefore(new Map(finished.map(({ task_id, status }) => [project.redact(task_id), status])));
    const own = records.filter((record) => record.run === run).map(({ task_id }) => stores.attempts.list(task_id));
    const attempts = (await Promise.all(own)).flat().filter((attempt) => attempt.run === run);
    view.usedBefore(
      attempts.flatMap(usesOf).map(({ usage }) => usage),
      attempts.length,
    );
  } catch {
    // They are counted as queued; the run itself reports what is wrong with the store.
  }
}

/** Messages for the person go above the view: written beside it they would be drawn over. Returns what ends that. */
function takeNotes(view: LiveView): () => void {
  const { stderr } = process;
  if (stderr.isTTY !== true) return () => undefined;
  const own = stderr.write;
  stderr.write = (text: string | Uint8Array): boolean => {
    view.note((typeof text === 'string' ? text : new TextDecoder().decode(text)).trimEnd());
    return true;
  };
  return () => {
    stderr.write = own;
  };
}
