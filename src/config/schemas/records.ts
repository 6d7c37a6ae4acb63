// What a record of an export must look like before it may enter a store. Fields that are not named here pass: a record keeps
// what a later version adds to it. An event is checked for its envelope only, since its kinds grow.

import * as v from 'valibot';
import { PRIORITIES } from '../../kernel/delivery.ts';
import { CHANNEL_NAMES, PROOFS } from '../../kernel/receipt.ts';
import type { AnySchema } from './check.ts';
import { isMap, pathText } from './document.ts';

/** Reports every fault in a line of an export, by the rules of its kind; false when there is one. */
export function checkLine(line: object, report: (path: string, message: string) => void): boolean {
  const { kind } = line as { readonly kind?: unknown };
  const schema = typeof kind === 'string' && Object.hasOwn(LINES, kind) ? LINES[kind] : undefined;
  if (schema === undefined) {
    report('kind', `must be one of ${Object.keys(LINES).join(', ')}.`);
    return false;
  }
  const { issues = [] } = v.safeParse(schema, line);
  for (const { path = [], message } of issues) report(pathText(path.map(({ key }) => key as string | number)), message);
  return issues.length === 0;
}

const TIME = 'must be a time such as 2026-01-31T12:00:00Z.';
const COUNT = 'must be a whole number from 1 up.';

const text = v.string(must('text'));
const number = v.number(must('a number'));
const flag = v.boolean(must('true or false'));
const time = v.pipe(
  v.string(TIME),
  v.check((given) => !Number.isNaN(Date.parse(given)), TIME),
);
const count = v.pipe(v.number(COUNT), v.safeInteger(COUNT), v.minValue(1, COUNT));

function listOf(item: AnySchema): AnySchema {
  return v.array(item, must('a list'));
}

function oneOf(...allowed: readonly string[]): AnySchema {
  return v.picklist(allowed, `must be one of ${allowed.join(', ')}.`);
}

/** Valibot takes a list for a map. */
const anyMap = v.custom<Record<string, unknown>>(isMap, must('a map'));

/** Who wrote it (kernel/writer.ts). */
const written = { 'writer?': text, 'imported?': v.literal(true, 'must be true or absent.') };

/** A name that ends in `?` may be absent. */
function map(fields: Readonly<Record<string, AnySchema>>): AnySchema {
  return v.pipe(anyMap, fieldsOf(fields));
}

function fieldsOf<const F extends Readonly<Record<string, AnySchema>>>(fields: F) {
  const entries = Object.entries(fields).map(([name, schema]): [string, AnySchema] =>
    name.endsWith('?') ? [name.slice(0, -1), v.optional(schema)] : [name, schema],
  );
  return v.looseObject(Object.fromEntries(entries), 'is missing.');
}

const task = map({
  task_id: text,
  intent: text,
  instructions: text,
  acceptance_criteria: listOf(map({ text, 'check?': anyMap })),
  depends_on: listOf(text),
  priority: number,
  targets: listOf(text),
  'agents?': listOf(text),
  retry_policy: map({ max_retries: number }),
  timeout_s: number,
  options: anyMap,
});

const usage = map({
  'input?': number,
  'cached?': number,
  'output?': number,
  'costUsd?': number,
  'costBy?': oneOf('agent', 'price'),
});

const results = listOf(
  map({
    criterion: text,
    outcome: oneOf('passed', 'failed', 'not-run'),
    by: text,
    'detail?': text,
    'isInherited?': flag,
  }),
);
const talk = { agent: text, asked: listOf(map({ prompt: text, answer: text })) };
const review = map({
  ...talk,
  'verdict?': oneOf('approve', 'reject'),
  findings: listOf(map({ 'file?': text, 'line?': number, text })),
  'more?': number,
  'usage?': usage,
});
const spent = listOf(map({ agent: text, 'usage?': usage }));
const verdict = map({
  outcome: oneOf('passed', 'failed', 'needs-review'),
  results,
  'sandbox?': text,
  'helper?': map(talk),
  'review?': review,
  'spent?': spent,
});

const agentResult = v.pipe(
  map({ kind: oneOf('answered', 'failed') }),
  v.lazy((given) => AGENT_RESULTS[(given as { readonly kind: keyof typeof AGENT_RESULTS }).kind]),
);

const AGENT_RESULTS = {
  answered: map({ answer: text }),
  failed: map({ class: text, message: text, 'resetAt?': number }),
};

/** The attempt that was under way. */
const current = map({
  attempt: count,
  agent: text,
  startedAt: time,
  before: text,
  promptHash: text,
  'preContext?': text,
  'ended?': map({ at: time, durationMs: number, after: text, result: agentResult }),
  'verdict?': verdict,
  'review?': review,
  'spent?': spent,
  'reviewing?': map({ agent: text, startedAt: time }),
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
  'countedFrom?': number,
  'origin?': text,
  'baseline?': results,
  'current?': current,
  'run?': text,
  'start?': text,
  'commit?': text,
  'by?': oneOf('checks', 'person'),
  'merged?': time,
  'undone?': time,
  'rejected?': map({ at: time, because: text }),
  'lastSession?': map({ attempt: count, cwd: text, start: text, program: text }),
  ...written,
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
  'exitMessage?': text,
  durationMs: number,
  'promptHash?': text,
  'preContext?': text,
  'verdict?': verdict,
  'commit?': text,
  'log?': text,
  'stderr?': text,
  'observed?': listOf(text),
  'run?': text,
  'usage?': usage,
  'box?': map({ level: oneOf('bubblewrap', 'none'), 'why?': text, 'refused?': listOf(text) }),
  'session?': text,
  'isResumed?': flag,
  ...written,
});

const moment = oneOf('session-start', 'first-tool', 'prompt', 'compaction', 'sub-agent', 'switch', 'retry', 'review');
const channel = oneOf(...CHANNEL_NAMES);
const proof = oneOf(...PROOFS);
const outcome = oneOf('delivered', 'uncertain', 'failed');

const receipt = map({
  id: text,
  delivery: text,
  session: text,
  moment,
  channel,
  proof,
  outcome,
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
  'tree?': text,
  'summary?': text,
  'currentTask?': text,
  done: listOf(text),
  inProgress: listOf(text),
  blocked: listOf(text),
  decisions: listOf(map({ decision: text, 'reason?': text })),
  questions: listOf(text),
  files: listOf(text),
  nextSteps: listOf(text),
  ...written,
});

const breaker = v.pipe(
  map({ state: oneOf('closed', 'open', 'trial') }),
  v.lazy((given) => BREAKERS[(given as { readonly state: keyof typeof BREAKERS }).state]),
);

const BREAKERS = {
  closed: map({ agent: text, failures: listOf(text) }),
  open: map({ agent: text, reason: text, openedAt: text, until: text, 'streak?': count }),
  trial: map({ agent: text, reason: text, owner: text, begunAt: text, leaseUntil: text, streak: count }),
};

const deliveryFacts = map({
  id: text,
  session: text,
  moment,
  priority: oneOf(...PRIORITIES),
  text,
  queuedAt: text,
  deadline: text,
  proof,
  'channel?': channel,
  attempts: number,
  stage: oneOf('queued', 'typing', 'typed', 'placed', 'submitting', 'submitted', 'ended'),
  stageAt: time,
  ladder: listOf(channel),
  rung: number,
  placedOn: listOf(channel),
  required: proof,
  'code?': text,
  'awaitsPrompt?': flag,
  'reason?': text,
  'evidence?': text,
});

const delivery = v.pipe(
  deliveryFacts,
  v.lazy((given) => DELIVERY_STAGES[(given as { readonly stage: keyof typeof DELIVERY_STAGES }).stage]),
);

/** The fields of each stage. An older version wrote `presses` in every stage. */
const DELIVERY_STAGES = {
  queued: map({ 'waiting?': text, 'notBefore?': text, 'hookFiresAt?': oneOf('launch', 'first-prompt') }),
  typing: anyMap,
  typed: anyMap,
  placed: map({ 'waiting?': text }),
  submitting: map({ presses: number, 'waiting?': text }),
  submitted: anyMap,
  ended: map({ outcome }),
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

const run = map({
  id: text,
  taskFile: text,
  'project?': text,
  'config?': text,
  base: map({ mode: oneOf('head', 'working'), commit: text, 'snapshot?': text, 'branch?': text }),
  tip: text,
  startedAt: time,
  updatedAt: time,
  state: oneOf('open', 'merged', 'left'),
  'merged?': map({ at: time, commit: text, how: oneOf('merge', 'squash', 'files') }),
});

const work = map({
  id: text,
  kind: oneOf('session', 'run'),
  agent: text,
  'tree?': text,
  startedAt: time,
  endedAt: time,
  'isCutOff?': flag,
  'facts?': map({
    prompts: listOf(text),
    promptCount: number,
    files: listOf(map({ path: text, edits: number })),
    fileCount: number,
    commands: listOf(
      map({
        kind: oneOf('tests', 'build'),
        command: text,
        isFailed: flag,
        isNewest: flag,
        'error?': text,
        'at?': time,
      }),
    ),
    open: listOf(text),
    openCount: number,
    commits: listOf(text),
    uncommitted: listOf(text),
    uncommittedCount: number,
    tasks: listOf(text),
    missing: listOf(text),
  }),
  ...written,
});

/** A line of an export, by its kind. */
const LINES: Readonly<Record<string, AnySchema>> = {
  task: map({ record: taskRecord }),
  attempt: map({ task: text, record: attemptRecord }),
  cleared: map({ task: text, up_to: count }),
  event: map({ record: map({ id: text, at: time, kind: text, ...written }) }),
  receipt: map({ record: receipt }),
  continuity: map({ record: continuity }),
  breaker: map({ id: text, record: breaker }),
  delivery: map({ id: text, record: delivery }),
  session: map({ id: text, record: session }),
  run: map({ id: text, record: run }),
  work: map({ id: text, record: work }),
};

/** The message for a value of another kind. */
function must(be: string): (issue: { readonly input: unknown }) => string {
  return ({ input }) => `must be ${be}, not ${nameOf(input)}.`;
}

function nameOf(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'a list';
  return typeof value === 'object' ? 'a map' : typeof value;
}
