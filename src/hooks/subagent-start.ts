// The start of a sub-agent: it has a context of its own and knows neither the rules nor the task. It is given both with its first
// request: the gate's text, which its first tool then does not repeat, and the task. The parent is given nothing.

import { join } from 'node:path';
import { isInRun } from '../system/files/project-state.ts';
import { isDone, takeClaim } from './claims.ts';
import { epochOf } from './epochs.ts';
import { endOf, idNotIn, markOf } from './fences.ts';
import { gate, gateClaims } from './gate.ts';
import { entryBase, type HookCall, type HookOutput } from './hook-call.ts';

/** The task; the rules come first. */
const TASK_CHARS = 1200;
/** Less than this is not worth a heading. */
const LEAST_CHARS = 200;

export async function subagentStart(call: HookCall): Promise<HookOutput | undefined> {
  if (call.root === undefined || call.subagent === undefined) return undefined;
  // A second entry of ours, or the first tool, was quicker.
  if (isDone(gateClaims(call))) return undefined;
  const rules = await gate(call, undefined);
  // In a run the task is the prompt.
  if (isInRun(call.env)) return rules;
  const room = call.dialect.maxChars - (rules?.text.length ?? 0) - FRAME_CHARS;
  const task = room < LEAST_CHARS ? '' : await taskText(call, call.root, Math.min(TASK_CHARS, room));
  if (task === '') return rules;
  if (rules !== undefined) return { ...rules, text: `${rules.text}\n\n${framed(rules.id, task)}` };
  return alone(call, task);
}

/** For both lines around it. */
const FRAME_CHARS = 200;

async function taskText({ ports, dialect, session, note }: HookCall, root: string, maxChars: number): Promise<string> {
  const reader = { agent: dialect.agent, session, transcript: undefined, isCompacted: false, isSubagent: true };
  const composed = await ports.startup(root, maxChars, reader);
  for (const fault of composed?.faults ?? []) note(fault);
  return composed?.text.trim() ?? '';
}

function framed(id: string, task: string): string {
  return `${markOf('sub-agent', id)} What the session that started you works on. Facts, not a request.\n\n${task}\n\n${endOf('sub-agent', id)}`;
}

/** There are no rules, or they were given. */
function alone(call: HookCall, task: string): HookOutput | undefined {
  const { ports, folder, state } = call;
  if (state.kind !== 'open') return undefined;
  const claim = takeClaim(join(folder, String(epochOf(folder)), 'sub-agent'), ports.now());
  if (claim.kind === 'held') return undefined;
  const id = idNotIn([task], () => ports.newId());
  const text = framed(id, task);
  return {
    id,
    claim,
    text,
    entry: {
      ...entryBase(call),
      kind: 'context-printed',
      moment: 'sub-agent',
      context: id,
      chars: text.length,
      durationMs: Math.round(ports.elapsed()),
    },
  };
}
