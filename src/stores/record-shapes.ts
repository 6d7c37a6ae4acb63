// What a record of an export must look like before it may enter a store. Fields that are not named here pass: a
// record keeps what a later version adds to it. An event is checked for its envelope only, since its kinds grow.

import { PROOFS } from '../kernel/receipt.ts';

/** Reports every way in which `value` is not of this shape; `path` is where it stands in its line. */
export type Shape = (value: unknown, path: string, report: (path: string, message: string) => void) => void;

const text: Shape = (value, path, report) => {
  if (typeof value !== 'string') report(path, `must be text, not ${nameOf(value)}.`);
};

const time: Shape = (value, path, report) => {
  if (typeof value !== 'string' || Number.isNaN(Date.parse(value)))
    report(path, 'must be a time such as 2026-01-31T12:00:00Z.');
};

const number: Shape = (value, path, report) => {
  if (typeof value !== 'number') report(path, `must be a number, not ${nameOf(value)}.`);
};

export const count: Shape = (value, path, report) => {
  if (!Number.isSafeInteger(value) || (value as number) < 1) report(path, 'must be a whole number from 1 up.');
};

const flag: Shape = (value, path, report) => {
  if (typeof value !== 'boolean') report(path, `must be true or false, not ${nameOf(value)}.`);
};

const oneOf =
  (...allowed: readonly string[]): Shape =>
  (value, path, report) => {
    if (!allowed.includes(value as string)) report(path, `must be one of ${allowed.join(', ')}.`);
  };

const listOf =
  (item: Shape): Shape =>
  (value, path, report) => {
    if (!Array.isArray(value)) return report(path, `must be a list, not ${nameOf(value)}.`);
    for (const [index, one] of value.entries()) item(one, `${path}[${index}]`, report);
  };

/** A name that ends in `?` may be absent. */
const map =
  (fields: Readonly<Record<string, Shape>>): Shape =>
  (value, path, report) => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) {
      return report(path, `must be a map, not ${nameOf(value)}.`);
    }
    for (const [field, shape] of Object.entries(fields)) {
      const name = field.replace(/\?$/, '');
      const at = path === '' ? name : `${path}.${name}`;
      if (Object.hasOwn(value, name)) shape((value as Record<string, unknown>)[name], at, report);
      else if (name === field) report(at, 'is missing.');
    }
  };

const task = map({
  task_id: text,
  intent: text,
  instructions: text,
  acceptance_criteria: listOf(map({ text, 'check?': map({}) })),
  depends_on: listOf(text),
  priority: number,
  targets: listOf(text),
  'agents?': listOf(text),
  retry_policy: map({ max_retries: number }),
  timeout_s: number,
  options: map({}),
});

const taskRecord = map({
  task_id: text,
  status: oneOf('queued', 'running', 'completed', 'failed', 'blocked', 'needs-review'),
  intent: text,
  'task?': task,
  'reason?': text,
  'result?': text,
  updated_at: time,
  'completed_at?': time,
});

const attemptRecord = map({
  attemptNumber: count,
  provider: text,
  timestamp: time,
  files_created: listOf(text),
  files_updated: listOf(text),
  files_deleted: listOf(text),
  status: oneOf('completed', 'failed'),
  validationErrors: listOf(text),
  'exitReason?': oneOf('circuit_breaker', 'validation_failure', 'execution_error', 'timeout', 'interrupted'),
  'exitClass?': text,
  durationMs: number,
  'promptHash?': text,
  'preContext?': text,
});

const moment = oneOf('session-start', 'first-tool', 'prompt', 'switch', 'retry', 'review');
const channel = oneOf('hook', 'flag', 'typed', 'file', 'notice');

const receipt = map({
  id: text,
  delivery: text,
  session: text,
  moment,
  channel,
  proof: oneOf(...PROOFS),
  outcome: oneOf('delivered', 'uncertain', 'failed'),
  'reason?': text,
  'evidence?': text,
  at: time,
  attempts: number,
  durationMs: number,
});

const continuity = map({
  id: text,
  savedAt: time,
  by: oneOf('person', 'agent', 'session-end'),
  'summary?': text,
  'currentTask?': text,
  done: listOf(text),
  inProgress: listOf(text),
  blocked: listOf(text),
  decisions: listOf(map({ decision: text, 'reason?': text })),
  questions: listOf(text),
  files: listOf(text),
  nextSteps: listOf(text),
});

const closedBreaker = map({ agent: text, failures: listOf(text) });
const openBreaker = map({ agent: text, reason: text, openedAt: text, until: text, 'streak?': count });
const triedBreaker = map({ agent: text, reason: text, owner: text, begunAt: text, leaseUntil: text, streak: count });
const breaker: Shape = (value, path, report) => {
  map({ state: oneOf('closed', 'open', 'trial') })(value, path, report);
  const state = typeof value === 'object' && value !== null ? (value as { state?: unknown }).state : undefined;
  if (state === 'closed') closedBreaker(value, path, report);
  if (state === 'open') openBreaker(value, path, report);
  if (state === 'trial') triedBreaker(value, path, report);
};

/** By stage, what it has of its own. An older version wrote `presses` in every stage. */
const deliveryStates = new Map([
  ['queued', map({ 'waiting?': text, 'notBefore?': text, 'hookFiresAt?': oneOf('launch', 'first-prompt') })],
  ['typing', map({})],
  ['typed', map({})],
  ['placed', map({ 'waiting?': text })],
  ['submitting', map({ presses: number, 'waiting?': text })],
  ['submitted', map({})],
  ['ended', map({ outcome: oneOf('delivered', 'uncertain', 'failed') })],
]);
const deliveryFacts = map({
  id: text,
  session: text,
  moment,
  priority: oneOf('startup', 'normal', 'low'),
  text,
  queuedAt: text,
  deadline: text,
  proof: oneOf(...PROOFS),
  'channel?': channel,
  attempts: number,
  stage: oneOf(...deliveryStates.keys()),
  stageAt: time,
  ladder: listOf(channel),
  rung: number,
  placedOn: listOf(channel),
  required: oneOf(...PROOFS),
  'code?': text,
  'reason?': text,
  'evidence?': text,
});
const delivery: Shape = (value, path, report) => {
  deliveryFacts(value, path, report);
  const stage = typeof value === 'object' && value !== null ? (value as { stage?: unknown }).stage : undefined;
  deliveryStates.get(String(stage))?.(value, path, report);
};

const session = map({
  id: text,
  agent: text,
  cwd: text,
  pid: number,
  startedAt: text,
  'endedAt?': text,
  readiness: oneOf('starting', 'ready', 'busy', 'asking', 'unrecognised', 'gone'),
  paused: flag,
  'evidence?': text,
  'exitStatus?': number,
  'agentPid?': number,
  'terminal?': oneOf('pty', 'tmux'),
  'socket?': text,
  'folder?': text,
  'tmux?': map({ socket: text, session: text }),
  'hasBracketedPaste?': flag,
});

/** A line of an export, by its kind. */
export const LINE_SHAPES: ReadonlyMap<string, Shape> = new Map([
  ['task', map({ record: taskRecord })],
  ['attempt', map({ task: text, record: attemptRecord })],
  ['cleared', map({ task: text, up_to: count })],
  ['event', map({ record: map({ id: text, at: time, kind: text }) })],
  ['receipt', map({ record: receipt })],
  ['continuity', map({ record: continuity })],
  ['breaker', map({ id: text, record: breaker })],
  ['delivery', map({ id: text, record: delivery })],
  ['session', map({ id: text, record: session })],
]);

function nameOf(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'a list';
  return typeof value === 'object' ? 'a map' : typeof value;
}
