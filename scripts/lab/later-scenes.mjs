// Scenes of a session that has been used for a while: work that is no turn, recorded frame by frame, and lists and questions that
// take keys.

import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { wait } from './agent-terminal.mjs';
import { answered, ask, atRest, begin, samples } from './scenes.mjs';
import { ANSWER, FINISHED, longAnswer, PIECES, THREE_LINES } from './words.mjs';

const FRAMES_MS = 5000;

/** A shell command of the person's. */
export async function command(stage) {
  const { terminal, keep, scratch, actName } = stage;
  await begin(stage);
  await terminal.type('!sleep 6 && touch finished.txt', 25);
  await terminal.settled(600);
  terminal.enter();
  await wait(600);
  const frames = await terminal.changes(() => false, FRAMES_MS);
  if (existsSync(join(scratch.project, FINISHED))) throw new Error('the command ended too soon');
  keep(actName, frames, FRAMES_MS);
  for (const until = Date.now() + 8000; Date.now() < until && !existsSync(join(scratch.project, FINISHED)); )
    await wait(100);
  if (!existsSync(join(scratch.project, FINISHED))) throw new Error('the command did not run');
}

/** A turn without a sign of work but its words. */
export async function waiting(stage) {
  const { model, actName } = stage;
  await begin(stage);
  model.next({ kind: 'slow', delayMs: FRAMES_MS, step: { kind: 'text', text: ANSWER } });
  await ask(stage, 'Explain how the parser works');
  await samples(stage, actName, [300, 1700]);
  await answered(stage, 1);
}

/** The conversation made shorter. */
export async function compaction(stage) {
  const { terminal, model, service, agent, keep, actName } = stage;
  await begin(stage);
  model.next({ kind: 'text', text: longAnswer(agent.compactsFrom) });
  await ask(stage, 'Explain everything');
  await answered(stage, 1);
  await terminal.settled(2000);
  service.hold(FRAMES_MS + 3000);
  const before = service.windows().length;
  await terminal.type(agent.compact ?? '/compact', 40);
  await terminal.settled(800);
  terminal.enter();
  for (const until = Date.now() + 15_000; Date.now() < until && service.windows().length === before; ) await wait(50);
  if (service.windows().length === before) throw new Error('nothing was compacted');
  await wait(300);
  const frames = await terminal.changes(() => false, FRAMES_MS);
  if (
    service
      .windows()
      .slice(before)
      .every((window) => window.until !== undefined)
  )
    throw new Error('it ended too soon');
  keep(actName, frames, FRAMES_MS);
}

/** The list of earlier sessions. */
export async function resume(stage) {
  const { terminal, model, save, agent } = stage;
  await begin(stage);
  model.next({ kind: 'text', text: ANSWER });
  await ask(stage, 'A first turn');
  await answered(stage, 1);
  await terminal.settled(1500);
  await terminal.type(agent.resume ?? '/resume', 40);
  await terminal.settled(800);
  terminal.enter();
  await wait(1200);
  save('asking', 'resume', await atRest(stage));
}

/** The model asks the person. */
export async function question(stage) {
  const { terminal, model, save, agent } = stage;
  if (agent.question === undefined) return;
  await begin(stage);
  const { call, own = [] } = agent.question;
  model.next({ kind: 'call', calls: [{ name: call.tool, input: call.input }] }, { kind: 'text', text: ANSWER });
  await ask(stage, 'Ask me');
  const isAsked = (screen) => screen.lines.join('\n').includes('Which colour');
  if ((await terminal.until(isAsked, 10_000)) === undefined) throw new Error('nothing was asked');
  save('asking', 'question', await atRest(stage));
  for (const key of own) {
    terminal.write(key);
    await wait(400);
  }
  if (own.length > 0) save('asking', 'question-own', await atRest(stage));
}

/** A question that only some agents have. */
export async function asked(stage) {
  const { terminal, model, save, agent, actName } = stage;
  const { keys = [], calls = [], says, to } = agent.acts[actName].leads;
  await begin(stage);
  for (const key of keys) {
    // The bytes of one key must not come apart.
    if (key.startsWith('\x1b')) terminal.write(key);
    else await terminal.type(key, 40);
    await terminal.settled(800);
  }
  for (const { tool, input } of calls) model.next({ kind: 'call', calls: [{ name: tool, input }] });
  if (says !== undefined) model.next({ kind: 'text', text: says });
  await ask(stage, 'Make a plan');
  const isAsked = (screen) => to.test(screen.lines.join('\n'));
  if ((await terminal.until(isAsked, 15_000)) === undefined) throw new Error('nothing was asked');
  save('asking', actName, await atRest(stage));
}

/** The list of agents that work in the background. */
export async function agents(stage) {
  const { terminal, save } = stage;
  await begin(stage);
  terminal.write('\x1b[D');
  await wait(1500);
  save('asking', 'agents', await atRest(stage));
}

/** The usual states in another look. */
export async function other(stage) {
  const { terminal, model, save, actName } = stage;
  await begin(stage);
  save('ready', `${actName}-fresh`, await terminal.settled(1000));
  model.next({ kind: 'text', text: ANSWER });
  await ask(stage, 'A first turn');
  await answered(stage, 1);
  save('ready', `after-turn-${actName}`, await terminal.settled(1500));
  terminal.paste(THREE_LINES);
  save('ready', `pasted-${actName}`, await terminal.settled(800));
  model.next({ kind: 'stream', pieces: PIECES, delayMs: 250 });
  terminal.enter();
  await wait(2500);
  save('busy', `${actName}-streaming`, await terminal.until(() => true));
}
