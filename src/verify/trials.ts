// Trials: each opens one session of a real agent, sends marked texts through one or more channels, and reads from the loopback
// model which of them arrived. A trial that cannot continue throws; what it did not report is `not measured` (measure.ts).

import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { chooseInstructionFile, INSTRUCTION_FILES } from '../sessions/channels/file/instruction-file.ts';
import { type AgentDriver, AgentHangs, AgentNotReady } from './agent-driver.ts';
import { type Arrival, arrivalOf, makeRuler, type Probe } from './arrival.ts';
import type { Tried } from './measurement.ts';
import { holds, type RecordedRequest } from './model/record.ts';
import type { ModelStep } from './model/steps.ts';
import { givenOf, type TrialWorkspace } from './trial-workspace.ts';

/** Called as soon as an arrival is known. */
export type ReportArrival = (tried: Tried, arrival: Arrival) => void;

export interface Trial {
  readonly tries: readonly Tried[];
  /** Its turns are one conversation, in which each request should keep the one before. */
  readonly isOneConversation?: true;
  run(workspace: TrialWorkspace, report: ReportArrival): Promise<void>;
  /** The same turns without foreword, to compare what of the cache is kept. */
  without?(workspace: TrialWorkspace): Promise<void>;
}

const READY_MS = 60_000;
/** No person types a first prompt in less. An agent may show its composer before its own start hook has ended:
 *  Gemini CLI 0.61.0 on a busy machine gave its model the context a turn late when the prompt came at once. */
const PERSON_MS = 2000;
/** From the launch or the submit key to the model. */
const SERVED_MS = 120_000;
/** The same while nothing is known of the agent: one that never asks its model is given up sooner. */
const FIRST_SERVED_MS = 60_000;
/** A second copy comes soon after the first, or not at all. */
const SETTLE_MS = 1500;
/** The startup context has at most 6,000 characters, the gate 7,500: probes of a realistic size, with room for the text around
 *  them. */
const STARTUP_CHARS = 4800;
const GATE_CHARS = 6000;
const FILE_CHARS = 6000;
/** The last line of the header, which is the last part of a startup context. */
const HEADER_END = 'mode: propose';

/** The hooks of `foreword init`: the start, the gate at the first tool, and a prompt after a change. */
const initHooks: Trial = {
  tries: ['hook-session-start', 'hook-first-tool', 'hook-prompt'],
  isOneConversation: true,
  run: async (workspace, report) => {
    const startup = await prepareStartup(workspace);
    const gate = prepareGate(workspace);
    await workspace.commit();
    await workspace.foreword('init', '--yes', '--agents', workspace.agent.name);
    const startProbe = { ...startup, begin: '[foreword startup fw_' };
    const { driver, firstAt, calledAt } = await goodMorning(workspace);
    const early = arrivalOf(startProbe, workspace.given(), firstAt);
    if (early.kind !== 'dropped') report('hook-session-start', early);
    report('hook-first-tool', arrivalOf(gate, workspace.given(), calledAt + 1));
    const changed = changeTasks(workspace);
    const secondAt = await goodEvening(workspace, driver);
    if (early.kind === 'dropped') report('hook-session-start', arrivalOf(startProbe, workspace.given(), firstAt));
    report('hook-prompt', arrivalOf(changed, workspace.given(), secondAt));
  },
  without: async (workspace) => {
    prepareGate(workspace);
    await workspace.commit();
    const { driver } = await goodMorning(workspace);
    changeTasks(workspace);
    await goodEvening(workspace, driver);
  },
};

/** A first prompt, at which the model calls a tool. */
async function goodMorning(workspace: TrialWorkspace) {
  const driver = await workspace.openAgent(workspace.recipe.vouchArgs);
  await driver.untilReady(READY_MS);
  await workspace.ports.clock.wait(PERSON_MS);
  const { tool, input } = workspace.recipe.commandCall('echo one');
  workspace.model.next({ kind: 'call', calls: [{ name: tool, input }] });
  const firstAt = await driver.submit('Good morning. Run echo one, please.');
  const calledAt = await turnAt(workspace, firstAt, FIRST_SERVED_MS);
  // The turn after the one in which the model asked for the tool.
  await turnAt(workspace, calledAt + 1);
  await workspace.ports.clock.wait(SETTLE_MS);
  return { driver, firstAt, calledAt };
}

async function goodEvening(workspace: TrialWorkspace, driver: AgentDriver): Promise<number> {
  const submittedAt = await driver.submit('And good evening.');
  await turnAt(workspace, submittedAt);
  await workspace.ports.clock.wait(SETTLE_MS);
  return submittedAt;
}

/** A file that the agent edited stands in what it is given after a compaction, in the turn after it. */
const compaction: Trial = {
  tries: ['hook-compaction'],
  run: async (workspace, report) => {
    const { recipe, model, scratch } = workspace;
    const name = `${newMark()}.txt`;
    await workspace.commit();
    await workspace.foreword('init', '--yes', '--agents', workspace.agent.name);
    const driver = await workspace.openAgent(recipe.vouchArgs);
    await driver.untilReady(READY_MS);
    await workspace.ports.clock.wait(PERSON_MS);
    const { tool, input } = recipe.editCall?.(name, 'made') ?? recipe.fileCall(join(scratch.project, name), 'made\n');
    model.next({ kind: 'call', calls: [{ name: tool, input }] }, { kind: 'text', text: LONG_ANSWER });
    const editedAt = await turnAt(workspace, await driver.submit('Make the file, please.'));
    await turnAt(workspace, editedAt + 1);
    await driver.untilReady(READY_MS);
    const compactedAt = await driver.submit(recipe.compactCommand ?? '');
    if ((await model.waitFor((request) => request.at >= compactedAt, SERVED_MS)) === undefined)
      throw new AgentNotReady('did not make its conversation shorter');
    await workspace.ports.clock.wait(PERSON_MS);
    await driver.untilReady(READY_MS);
    const nextAt = await driver.submit('Go on, please.');
    await turnAt(workspace, nextAt);
    await workspace.ports.clock.wait(SETTLE_MS);
    const probe = { begin: '## This session so far', marks: [{ text: name, at: 60 }] };
    report('hook-compaction', arrivalOf(probe, workspace.given(), nextAt));
  },
};

/** More than an agent keeps as it is; some keep the last 20,000 tokens. */
const LONG_ANSWER = Array.from({ length: 16_000 }, (_, index) => `Point ${index} of it.`).join(' ');

/** In the child's own requests, which hold what it was asked, and not in those of its parent. */
const subagent: Trial = {
  tries: ['hook-subagent'],
  run: async (workspace, report) => {
    const { recipe, model } = workspace;
    const order = `Count the words of readme.txt, ${newMark()}.`;
    const gate = prepareGate(workspace);
    await workspace.foreword('save', '--task', 'count');
    await workspace.commit();
    await workspace.foreword('init', '--yes', '--agents', workspace.agent.name);
    const isChild = ({ texts }: RecordedRequest) =>
      texts.some(({ role, text }) => role === 'user' && text.includes(order));
    const { call, wait } = recipe.subagent ?? {};
    let asked = 0;
    const reply = (request: RecordedRequest): ModelStep => {
      if (isChild(request)) return { kind: 'text', text: 'Six.' };
      asked += 1;
      const after = asked === 2 ? wait?.(request.texts.at(-1)?.text ?? '') : undefined;
      const next = asked === 1 ? call?.(order) : after;
      if (next === undefined) return { kind: 'text', text: 'Done.' };
      return { kind: 'call', calls: [{ name: next.tool, input: next.input }] };
    };
    model.next(...Array.from({ length: 8 }, (): ModelStep => ({ kind: 'reply', reply })));
    const startedAt = workspace.ports.clock.now();
    await workspace.oneshot('Have the words counted.');
    const children = model.requests().filter((request) => request.isMain && isChild(request));
    const begin = '[foreword sub-agent fw_';
    const inParent = model.requests().some((request) => !isChild(request) && holds(request, begin));
    const arrival = arrivalOf({ begin, marks: gate.marks }, children.map(givenOf), startedAt);
    report('hook-subagent', inParent ? { kind: 'duplicated', times: 2, ms: 0 } : arrival);
  },
};

/** Through the hooks that `foreword start` adds. Their text arrives with the first prompt of a person. */
const startByHook: Trial = {
  tries: ['start-hook'],
  isOneConversation: true,
  run: async (workspace, report) => {
    const probe = { ...(await prepareStartup(workspace)), begin: '[foreword fw_' };
    await workspace.commit();
    const driver = await workspace.start('--channel', 'hook');
    report('start-hook', await greet(workspace, driver, probe));
  },
};

const startByFlag: Trial = {
  tries: ['start-flag'],
  isOneConversation: true,
  run: (workspace, report) => startBy(workspace, 'flag', report),
};
const startByTyping: Trial = {
  tries: ['start-typed'],
  isOneConversation: true,
  run: (workspace, report) => startBy(workspace, 'typed', report),
};

async function startBy(workspace: TrialWorkspace, channel: 'flag' | 'typed', report: ReportArrival): Promise<void> {
  const inside = await prepareStartup(workspace);
  const end = { text: '[END CONTEXT fw_', at: inside.marks.at(-1)?.at ?? 0 };
  // Where a launch puts it into the conversation, it has the words of a hook, and comes with the person's first prompt.
  const beginsNoTurn = channel === 'flag' && workspace.agent.interactive?.launch?.history !== undefined;
  const probe = beginsNoTurn
    ? { ...inside, begin: '[foreword fw_' }
    : { begin: '[CONTEXT INJECTION fw_', marks: [...inside.marks, end] };
  await workspace.commit();
  const startedAt = workspace.ports.clock.now();
  const driver = await workspace.start('--channel', channel);
  const arrival = beginsNoTurn
    ? await greet(workspace, driver, probe)
    : await arrivalByItself(workspace, startedAt, probe);
  // A text that is typed after the launch flag failed looks the same. And when an agent was not ready in time, nothing is
  // typed, which means nothing for typing. A cut or doubled text came through the first channel: the next one is tried
  // later than this.
  const isOpen = arrival.kind === 'dropped' || (arrival.kind === 'served' && channel === 'flag');
  const used = isOpen ? await channelOf(workspace) : channel;
  if (used === undefined || used === channel) return report(`start-${channel}`, arrival);
  const reason = `the text was sent by ${used} instead`;
  report(`start-${channel}`, { kind: channel === 'typed' ? 'not measured' : 'dropped', reason });
}

/** With the turn that the start itself begins. */
async function arrivalByItself(workspace: TrialWorkspace, startedAt: number, probe: Probe): Promise<Arrival> {
  const turn = await workspace.turn(startedAt, READY_MS + SERVED_MS);
  // Without a request nothing is known about the text.
  if (turn === undefined) throw noRequest(READY_MS + SERVED_MS);
  await workspace.ports.clock.wait(SETTLE_MS);
  return arrivalOf(probe, workspace.given(), startedAt);
}

/** A managed block in the agent's instruction file when it starts. */
const byFile: Trial = {
  tries: ['file'],
  isOneConversation: true,
  run: async (workspace, report) => {
    const { lines, probe } = makeRuler(newMark(), FILE_CHARS);
    const rule = INSTRUCTION_FILES[workspace.agent.name];
    const root = workspace.scratch.project;
    const chosen = rule && chooseInstructionFile(rule, workspace.ports.blocks.existing(root));
    if (chosen?.kind !== 'chosen') return report('file', { kind: 'not offered' });
    await workspace.commit();
    const expiresAt = new Date(workspace.ports.clock.now() + 3_600_000).toISOString();
    const written = workspace.ports.blocks.write(root, chosen.path, {
      id: `fw_${newMark()}`,
      body: lines.join('\n'),
      expiresAt,
    });
    if (written.kind === 'refused') throw new AgentNotReady(`got no block in its instruction file: ${written.reason}`);
    const driver = await workspace.openAgent(chosen.needsArguments);
    report('file', await greet(workspace, driver, probe));
  },
};

export const TRIALS: readonly Trial[] = [
  initHooks,
  compaction,
  subagent,
  startByHook,
  startByFlag,
  startByTyping,
  byFile,
];

/** Saves a note for the next session: a ruler, and after it the header. */
async function prepareStartup(workspace: TrialWorkspace): Promise<Probe> {
  const { lines, probe } = makeRuler(newMark(), STARTUP_CHARS);
  await workspace.foreword('save', lines.join('\n'));
  const end = { text: HEADER_END, at: probe.marks.at(-1)?.at ?? 0 };
  return { begin: probe.begin, marks: [...probe.marks, end] };
}

/** Context files; the gate shows the first two whole and the heading of the third. */
function prepareGate(workspace: TrialWorkspace): Probe {
  const mark = newMark();
  const { lines, probe } = makeRuler(mark, GATE_CHARS);
  const middle = Math.floor(lines.length / 2);
  const last = `${mark}.last`;
  workspace.write(join('.context', 'CONSTITUTION.md'), `${lines.slice(0, middle).join('\n')}\n`);
  workspace.write(join('.context', 'AGENT_PLAYBOOK.md'), `${lines.slice(middle).join('\n')}\n`);
  workspace.write(join('.context', 'LEARNINGS.md'), `# ${last}\n`);
  const end = { text: last, at: probe.marks.at(-1)?.at ?? 0 };
  return { begin: '[foreword gate fw_', marks: [...probe.marks, end] };
}

/** New tasks, which the next prompt must bring. The offset of each mark is a minimum. */
function changeTasks(workspace: TrialWorkspace): Probe {
  const mark = newMark();
  const names = ['first', 'second', 'third'].map((name) => `${mark}.${name}`);
  const tasks = names.map((name, index) => `  - { task_id: task_${index}, intent: "do ${name}" }\n`);
  workspace.write('.foreword/tasks.yaml', `tasks:\n${tasks.join('')}`);
  const marks = names.map((text, index) => ({ text, at: 60 + 30 * index }));
  return { begin: '[foreword prompt fw_', marks };
}

/** The channel that our own record names, once it is there; `undefined` when that takes too long. */
async function channelOf(workspace: TrialWorkspace): Promise<string | undefined> {
  for (
    const end = workspace.ports.clock.now() + 10_000;
    workspace.ports.clock.now() < end;
    await workspace.ports.clock.wait(500)
  ) {
    const { receipts } = JSON.parse(await workspace.foreword('receipts', '--json')) as {
      readonly receipts: readonly { readonly channel?: string }[];
    };
    const channel = receipts[0]?.channel;
    if (channel !== undefined) return channel;
  }
  return undefined;
}

/** One prompt, and a second one if the first did not bring the text: late is not lost. */
async function greet(workspace: TrialWorkspace, driver: AgentDriver, probe: Probe): Promise<Arrival> {
  await driver.untilReady(READY_MS);
  await workspace.ports.clock.wait(PERSON_MS);
  const submittedAt = await driver.submit('Good morning.');
  await turnAt(workspace, submittedAt);
  await workspace.ports.clock.wait(SETTLE_MS);
  const arrival = arrivalOf(probe, workspace.given(), submittedAt);
  if (arrival.kind !== 'dropped') return arrival;
  const againAt = await driver.submit('And good evening.');
  await turnAt(workspace, againAt);
  await workspace.ports.clock.wait(SETTLE_MS);
  return arrivalOf(probe, workspace.given(), submittedAt);
}

/** When the first turn since then reached the model. A prompt without a turn means nothing for our texts. */
async function turnAt(workspace: TrialWorkspace, since: number, ms = SERVED_MS): Promise<number> {
  const turn = await workspace.turn(since, ms);
  if (turn === undefined) throw noRequest(ms);
  return turn.at;
}

function noRequest(ms: number): AgentHangs {
  return new AgentHangs(`sent no request to its model within ${ms / 1000} s`);
}

function newMark(): string {
  return `fwv${randomBytes(4).toString('hex')}`;
}
