// Tasks and agents written in code, by the same rules as in files: defaults are filled in, and wrong input is refused with
// every fault at once. The result is complete, so the caller need not know the internal fields.

import type { Agent, ComposerRule, ErrorRule, Interactive, Oneshot, ScreenRule } from '../kernel/agent.ts';
import { type Fault, ForewordError } from '../kernel/errors.ts';
import { nearest } from '../kernel/nearest.ts';
import type { Criterion, Task } from '../kernel/task.ts';
import { compilePattern } from '../system/patterns/linear.ts';
import { type AgentSettings, agentsFaults, agentUseFaults, joinAgents } from './schemas/agents.ts';
import { openDocument } from './schemas/document.ts';
import { faultsForRun, parseTasks } from './schemas/task-file.ts';

/** A task as people write it; only the id and the instructions have no default. */
export interface TaskInput extends Partial<Omit<Task, 'acceptance_criteria' | 'priority' | 'retry_policy'>> {
  readonly task_id: string;
  readonly instructions: string;
  /** The helper agent or a person decides about a text without a check. */
  readonly acceptance_criteria?: readonly (string | Criterion)[];
  /** A number, or "P1". Lower runs sooner; 1000 if absent. */
  readonly priority?: number | string;
  readonly retry_policy?: Partial<Task['retry_policy']>;
}

/** An agent as the configuration describes it under `agents:`, with its name. It needs `oneshot` or `interactive`. */
export interface AgentInput {
  readonly name: string;
  readonly oneshot?: Pick<Oneshot, 'command' | 'prompt'> & Partial<Oneshot>;
  readonly interactive?: Pick<Interactive, 'command'>;
  readonly screens?: readonly ScreenRule[];
  readonly composer?: Partial<ComposerRule>;
  readonly submit?: Partial<Interactive['submit']>;
  readonly proofs?: Interactive['proofs'];
  readonly ladder?: Interactive['ladder'];
  readonly file?: string;
  readonly env?: readonly string[];
  readonly errors?: readonly ErrorRule[];
}

/** A complete task. Throws `bad-input` with every fault. */
export function defineTask(input: TaskInput): Task {
  const parsed = parseTasks('json', toJson('task', [input]), 'task');
  const [task] = parsed.ok ? parsed.value.tasks : [];
  const written = parsed.ok && task !== undefined ? faultsForRun([task]) : parsed.ok ? [] : parsed.faults;
  const faults = [...written, ...lackingFaults(input, written)];
  if (task === undefined || faults.length > 0) throw refused('task', faults);
  // A copy, which has no file and line that faults could name.
  return { ...task };
}

/** A complete agent. Throws `bad-input` with every fault. */
export function defineAgent(input: AgentInput): Agent {
  if (typeof input !== 'object' || input === null)
    throw refused('agent', [
      { where: 'agent', path: '', message: `Got ${input}, expected an object with name and oneshot or interactive.` },
    ]);
  const { name, ...settings } = input;
  // Without a name the rest is looked at under one that is as good.
  const agents: Readonly<Record<string, AgentSettings>> = {
    [typeof name === 'string' ? name : 'unnamed']: settings as unknown as AgentSettings,
  };
  const opened = openDocument('json', toJson('agent', { agents }), 'agent');
  const written = [
    ...(typeof name === 'string' ? [] : [MISSING_NAME]),
    ...(opened.ok ? agentsFaults(opened.value) : opened.faults),
  ];
  const faults = written.some(({ path }) => !isName(path)) ? written : [...written, ...useFaults(agents)];
  const [agent] = faults.length === 0 ? joinAgents([], agents) : [];
  if (agent === undefined) throw refused('agent', faults);
  return agent;
}

const MISSING_NAME: Fault = {
  where: 'agent',
  path: 'name',
  message: 'Missing; give 1 to 40 lower-case letters, digits and -.',
};

/** Where only the name is wrong, the patterns of the rest can be tried. */
function isName(path: string): boolean {
  return path === 'name' || /^agents(\.[^.[]*|\[[^\]]*\])$/.test(path);
}

/** What a file may leave out, and code may not: its absence is a fault beside the others. */
function lackingFaults(input: Partial<TaskInput>, known: readonly Fault[]): readonly Fault[] {
  if (typeof input !== 'object' || input === null || Array.isArray(input)) return [];
  const isNamed = known.some(({ path }) => path.endsWith('instructions'));
  const { instructions } = input;
  const isBlank = instructions === undefined || (typeof instructions === 'string' && instructions.trim() === '');
  const lacking = isBlank && !isNamed;
  const unknown = Object.keys(input).filter(
    (key) => !(key in TASK_KEYS) && !known.some(({ path }) => path.endsWith(key)),
  );
  return [
    ...(lacking
      ? [{ where: 'task', path: 'instructions', message: 'Missing, expected the instructions for the agent.' }]
      : []),
    ...unknown.map((key) => ({ where: 'task', path: key, message: `Unknown key; ${meantKey(key)}` })),
  ];
}

function meantKey(key: string): string {
  const meant = nearest(key, Object.keys(TASK_KEYS));
  return meant === undefined ? `the keys are ${Object.keys(TASK_KEYS).join(', ')}.` : `did you mean ${meant}?`;
}

/** `id` and `summary` are read as in files. */
const TASK_KEYS = {
  task_id: true,
  intent: true,
  instructions: true,
  acceptance_criteria: true,
  depends_on: true,
  priority: true,
  targets: true,
  agents: true,
  retry_policy: true,
  timeout_s: true,
  options: true,
  id: true,
  summary: true,
} satisfies Record<keyof TaskInput | 'id' | 'summary', true>;

function useFaults(agents: Readonly<Record<string, AgentSettings>>): readonly Fault[] {
  return agentUseFaults(
    { agents, lineup: [], helper: undefined },
    { builtIn: [], compile: compilePattern, placeOf: () => ({ where: 'agent' }) },
  );
}

function toJson(what: string, value: unknown): string {
  try {
    return JSON.stringify(value);
  } catch (error) {
    throw new ForewordError('bad-input', `The ${what} cannot be written as JSON.`, { cause: error });
  }
}

/** Faults in code have no line, and their path leaves out the list or map of one entry that we put around the input. */
function refused(what: string, faults: readonly Fault[]): ForewordError {
  const own = faults.map(({ path, message }) => ({
    where: what,
    path: path.replace(/^\[0\]\.?|^agents(\.[^.[]*|\[[^\]]*\])\.?/, ''),
    message,
  }));
  const lines = own.map(({ path, message }) => (path === '' ? message : `${path}: ${message}`));
  return new ForewordError('bad-input', `This ${what} cannot be used. ${lines.join(' ')}`, { faults: own });
}
