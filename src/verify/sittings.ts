// Sittings: each opens one session of a real agent, sends marked texts through one or more ways, and reads from the loopback
// model what came of them. A sitting that cannot go on throws; what it did not tell of is then `not measured` (measure.ts).

import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { chooseInstructionFile, INSTRUCTION_FILES } from '../sessions/channels/file/instruction-file.ts';
import { existingInstructionFiles, writeBlock } from '../sessions/channels/file/managed-block-file.ts';
import { type Arrival, arrivalOf, makeRuler, type Probe } from './arrival.ts';
import type { Field } from './field.ts';
import type { Tried } from './measurement.ts';
import { NotSeated, type Seat } from './seat.ts';

/** Told as soon as it is known, for whoever watches. */
export type Told = (tried: Tried, arrival: Arrival) => void;

export interface Sitting {
  readonly tries: readonly Tried[];
  run(field: Field, told: Told): Promise<void>;
}

const READY_MS = 60_000;
/** No person writes a first prompt in less. An agent may show its composer before its own start hook has ended:
 *  Gemini CLI 0.61.0 on a busy machine gave its model the context a turn late when the prompt came at once. */
const PERSON_MS = 2000;
/** From the launch or the submit key to the model. */
const SERVED_MS = 120_000;
/** A second copy comes soon after the first, or not at all. */
const SETTLE_MS = 1500;
/** The startup context has 6,000 characters at most, the gate 7,500: as much as a person would have, and room for the
 *  words around it. */
const STARTUP_CHARS = 4800;
const GATE_CHARS = 6000;
const FILE_CHARS = 6000;
/** The last line of the header, which is the last part of a startup context. */
const HEADER_END = 'mode: propose';

/** What `foreword init` puts in: the start, the gate at the first tool, and a prompt after something changed. */
export const initHooks: Sitting = {
  tries: ['hook-session-start', 'hook-first-tool', 'hook-prompt'],
  run: async (field, told) => {
    const startup = await prepareStartup(field);
    const gate = prepareGate(field);
    await field.commit();
    await field.foreword('init', '--yes', '--agents', field.agent.name);
    const seat = await field.sitDown(field.recipe.vouchArgs);
    await seat.untilReady(READY_MS);
    await sleep(PERSON_MS);
    const { tool, input } = field.recipe.commandCall('echo one');
    field.model.next({ kind: 'call', calls: [{ name: tool, input }] });
    const firstAt = await seat.say('Good morning. Run echo one, please.');
    const startProbe = { ...startup, begin: '[foreword startup fw_' };
    const calledAt = await turnAt(field, firstAt);
    // The turn after the one in which the model asked for the tool.
    await turnAt(field, calledAt + 1);
    await sleep(SETTLE_MS);
    const early = arrivalOf(startProbe, field.given(), firstAt);
    if (early.kind !== 'dropped') told('hook-session-start', early);
    told('hook-first-tool', arrivalOf(gate, field.given(), calledAt + 1));
    const changed = changeTasks(field);
    const secondAt = await seat.say('And good evening.');
    await turnAt(field, secondAt);
    await sleep(SETTLE_MS);
    if (early.kind === 'dropped') told('hook-session-start', arrivalOf(startProbe, field.given(), firstAt));
    told('hook-prompt', arrivalOf(changed, field.given(), secondAt));
  },
};

/** By the hooks that `foreword start` brings along. They are heard with the first prompt of a person. */
export const startByHook: Sitting = {
  tries: ['start-hook'],
  run: async (field, told) => {
    const probe = { ...(await prepareStartup(field)), begin: '[foreword fw_' };
    await field.commit();
    const seat = await field.start('--channel', 'hook');
    told('start-hook', await greet(field, seat, probe));
  },
};

export const startByFlag: Sitting = { tries: ['start-flag'], run: (field, told) => startBy(field, 'flag', told) };
export const startByTyping: Sitting = { tries: ['start-typed'], run: (field, told) => startBy(field, 'typed', told) };

async function startBy(field: Field, channel: 'flag' | 'typed', told: Told): Promise<void> {
  const inside = await prepareStartup(field);
  const end = { text: '[END CONTEXT fw_', at: inside.marks.at(-1)?.at ?? 0 };
  const probe = { begin: '[CONTEXT INJECTION fw_', marks: [...inside.marks, end] };
  await field.commit();
  const startedAt = Date.now();
  await field.start('--channel', channel);
  await field.turn(startedAt, READY_MS + SERVED_MS);
  await sleep(SETTLE_MS);
  const arrival = arrivalOf(probe, field.given(), startedAt);
  // What is typed where the prompt of a launch failed looks the same; and an agent that was not ready in time is not typed
  // to at all, which says nothing about typing. A text that was cut or doubled came by the first way: the next one is
  // tried later than this.
  const isOpen = arrival.kind === 'dropped' || (arrival.kind === 'served' && channel === 'flag');
  const used = isOpen ? await channelOf(field) : channel;
  if (used === undefined || used === channel) return told(`start-${channel}`, arrival);
  const reason = `the text went by ${used} instead`;
  told(`start-${channel}`, { kind: channel === 'typed' ? 'not measured' : 'dropped', reason });
}

/** A managed block that stands in the agent's instruction file when it starts. */
export const byFile: Sitting = {
  tries: ['file'],
  run: async (field, told) => {
    const { lines, probe } = makeRuler(newMark(), FILE_CHARS);
    const rule = INSTRUCTION_FILES[field.agent.name];
    const root = field.scratch.project;
    const chosen = rule && chooseInstructionFile(rule, existingInstructionFiles(root));
    if (chosen?.kind !== 'chosen') return told('file', { kind: 'not offered' });
    await field.commit();
    const expiresAt = new Date(Date.now() + 3_600_000).toISOString();
    const written = writeBlock(root, chosen.path, { id: `fw_${newMark()}`, body: lines.join('\n'), expiresAt });
    if (written.kind === 'refused') throw new NotSeated(`got no block: ${written.reason}`);
    const seat = await field.sitDown(chosen.needsArguments);
    told('file', await greet(field, seat, probe));
  },
};

export const SITTINGS: readonly Sitting[] = [initHooks, startByHook, startByFlag, startByTyping, byFile];

/** Leaves word for the next session: a ruler, and behind it the header. */
async function prepareStartup(field: Field): Promise<Probe> {
  const { lines, probe } = makeRuler(newMark(), STARTUP_CHARS);
  await field.foreword('save', lines.join('\n'));
  const end = { text: HEADER_END, at: probe.marks.at(-1)?.at ?? 0 };
  return { begin: probe.begin, marks: [...probe.marks, end] };
}

/** Context files of which the gate shows the first two whole and the heading of the third. */
function prepareGate(field: Field): Probe {
  const mark = newMark();
  const { lines, probe } = makeRuler(mark, GATE_CHARS);
  const middle = Math.floor(lines.length / 2);
  const last = `${mark}.last`;
  field.write(join('.context', 'CONSTITUTION.md'), `${lines.slice(0, middle).join('\n')}\n`);
  field.write(join('.context', 'AGENT_PLAYBOOK.md'), `${lines.slice(middle).join('\n')}\n`);
  field.write(join('.context', 'LEARNINGS.md'), `# ${last}\n`);
  const end = { text: last, at: probe.marks.at(-1)?.at ?? 0 };
  return { begin: '[foreword gate fw_', marks: [...probe.marks, end] };
}

/** New tasks, which the next prompt must bring. Where each mark stands is known at least. */
function changeTasks(field: Field): Probe {
  const mark = newMark();
  const names = ['first', 'second', 'third'].map((name) => `${mark}.${name}`);
  const tasks = names.map((name, index) => `  - { task_id: task_${index}, intent: "do ${name}" }\n`);
  field.write('.foreword/tasks.yaml', `tasks:\n${tasks.join('')}`);
  const marks = names.map((text, index) => ({ text, at: 60 + 30 * index }));
  return { begin: '[foreword prompt fw_', marks };
}

/** The way in that our own record names, once it does; none when that takes too long. */
async function channelOf(field: Field): Promise<string | undefined> {
  for (const end = Date.now() + 10_000; Date.now() < end; await sleep(500)) {
    const { receipts } = JSON.parse(await field.foreword('receipts', '--json')) as {
      readonly receipts: readonly { readonly channel?: string }[];
    };
    const channel = receipts[0]?.channel;
    if (channel !== undefined) return channel;
  }
  return undefined;
}

/** A prompt of a person, and one more where the first did not bring the text: late is not lost. */
async function greet(field: Field, seat: Seat, probe: Probe): Promise<Arrival> {
  await seat.untilReady(READY_MS);
  await sleep(PERSON_MS);
  const saidAt = await seat.say('Good morning.');
  await turnAt(field, saidAt);
  await sleep(SETTLE_MS);
  const arrival = arrivalOf(probe, field.given(), saidAt);
  if (arrival.kind !== 'dropped') return arrival;
  const againAt = await seat.say('And good evening.');
  await turnAt(field, againAt);
  await sleep(SETTLE_MS);
  return arrivalOf(probe, field.given(), saidAt);
}

/** When the first turn since then reached the model. A prompt that leads to none says nothing about our texts. */
async function turnAt(field: Field, since: number): Promise<number> {
  const turn = await field.turn(since, SERVED_MS);
  if (turn === undefined) throw new NotSeated(`did not ask its model within ${SERVED_MS / 1000} s`);
  return turn.at;
}

function newMark(): string {
  return `fwv${randomBytes(4).toString('hex')}`;
}
