// One trial of each moment: what a person or a model does, and what the model must have been given then. `checks` are read from the
// model's records alone.

import { appendFileSync, existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { importSource } from '../../scripts/import-source.mjs';
import { calling, givenIn, timesGiven } from './field.mjs';
import { sitDown } from './person.mjs';

const { SETUPS } = await importSource('src/agents/setups.ts');

/** What an agent keeps as it is at a compaction must not be everything: pi keeps the last 20,000 tokens. */
const POINTS = { pi: 4000 };
/** In the mode it starts in, it asks a service whether a command may run. */
const UNASKED = { claude: ['--permission-mode', 'acceptEdits', '--allowedTools', 'Bash,Agent,Task'] };

const PROMPTS = ['begin with the ledger', 'now the invoices please', 'round to cents', 'check the currency table'];
const EDITED = ['src/ledger.ts', 'src/invoice.ts', 'src/cents.ts', 'src/currency.ts'];
const COMMANDS = [
  ['npm run build -- --fast', 'true'],
  ['npm test -- invoices'],
  ['npm run build -- --all'],
  ['npm test -- currency'],
];
/** 15 of them. */
const STATE = [
  ...PROMPTS.map((prompt) => `"${prompt}"`),
  ...EDITED,
  'src/ledger.ts (2 edits)',
  'Tests failing: `npm test -- currency`',
  'AssertionError: expected EUR to be USD',
  'npm test -- invoices',
  'Build failing: `npm run build -- --all` - error TS2304',
  'npm run build -- --fast',
  'Not committed',
];
/** In which prompt after the compaction it must stand at the latest; the first unless named: the event of Codex may come a turn late. */
const LATE = { codex: 2 };
const STATE_HEADING = '## This session so far';

/** Four prompts with edits and commands. */
async function fourPrompts(field) {
  const person = await sitDown(field, await field.open(UNASKED[field.name]));
  for (const [index, prompt] of PROMPTS.entries()) {
    const edits = Array.from({ length: index === 0 ? 2 : 1 }, (_, nth) => edit(field, EDITED[index], `${nth}`));
    const steps = calling(...edits, ...COMMANDS[index].map(field.recipe.commandCall));
    field.model.next(...steps, { kind: 'text', text: longAnswer(POINTS[field.name] ?? 300) });
    field.step(`prompt ${index + 1}`);
    await person.ask(prompt, steps.length + 1);
  }
  return person;
}

/** Those, a compaction by the person's command, and a further prompt. */
export async function compaction(field) {
  const person = await fourPrompts(field);
  field.step('compaction');
  await person.command(field.recipe.compactCommand ?? '/compact');
  let inTurn = 0;
  let block;
  for (; block === undefined && inTurn < (LATE[field.name] ?? 1) && (field.isOurs || inTurn === 0); inTurn += 1) {
    const title = inTurn === 0 ? 'after it' : 'a turn later';
    field.step(title);
    await person.ask('go on');
    block = blocksIn(field.of(title)[0]).find((text) => text.includes(STATE_HEADING));
  }
  return { inTurn, ...judged(field, block) };
}

/** Tokens that its model is said to have read; the agent makes its conversation shorter then. */
const FULL = { claude: 990_000, codex: 268_000 };

/** Those, and a fifth prompt at whose tool call the context is nearly full, so that the agent itself makes it shorter. */
export async function autoCompaction(field) {
  const person = await fourPrompts(field);
  let isCalled = false;
  field.model.announce(({ isMain }) =>
    isMain && !isCalled ? { tokens: { input: FULL[field.name] ?? 196_000, cached: 0, output: 40 } } : undefined,
  );
  field.model.standing({
    kind: 'reply',
    reply: ({ texts }) => {
      const summary = texts.findLast(({ role }) => role === 'user')?.text ?? '';
      if (/summar|compact|checkpoint/i.test(summary) && summary.length > 300) return { kind: 'text', text: SUMMARY };
      if (isCalled) return { kind: 'text', text: 'Done.' };
      isCalled = true;
      return calling(field.recipe.commandCall('echo five'))[0];
    },
  });
  field.step('full');
  await person.ask('now the fifth part', 2);
  field.step('after it');
  await person.ask('go on');
  const later = [...field.of('full'), ...field.of('after it')];
  const isShort = (_, index, all) => index > 0 && sizeOf(all[index]) < sizeOf(all[index - 1]);
  const next = later.findIndex(isShort);
  if (next === -1) throw new Error('it was not made shorter');
  const block = blocksIn(later[next]).find((text) => text.includes(STATE_HEADING));
  const inTurn = later.findIndex((turn) => blocksIn(turn).some((text) => text.includes(STATE_HEADING))) - next;
  return { request: next, of: later.length, inTurn, ...judged(field, block) };
}

function sizeOf({ texts }) {
  return texts.reduce((sum, { text }) => sum + text.length, 0);
}

const SUMMARY = '<summary>The person works on a ledger.</summary>';

/** At most one of the facts may be missing. */
function judged(field, block = '') {
  const missing = STATE.filter((fact) => !block.includes(fact));
  const size = (/## This session so far[\s\S]*?(?=\n## |$)/.exec(block)?.[0] ?? '').length;
  return {
    isRight: !field.isOurs || (missing.length <= 1 && size <= 2048 + 30),
    facts: STATE.length - missing.length,
    size,
    ...(missing.length > 0 && field.isOurs ? { missing, given: block.slice(0, 3000) } : {}),
  };
}

const ORDER = 'Count the words of readme.txt for me.';

/** The parent has a sub-agent count words. */
export async function subAgent(field) {
  await field.init(field.name);
  const { subagent } = field.recipe;
  delegate(field, subagent);
  await field.oneshot('Have the words counted.');
  const turns = field.turns();
  const [child] = turns.filter(isOrdered);
  const parents = turns.filter((turn) => !isOrdered(turn));
  const texts = ['Never push to main.', 'register the route', '[foreword sub-agent fw_'];
  const inChild = texts.map((text) => timesGiven(child, text));
  const inParents = Math.max(...parents.map((turn) => timesGiven(turn, '[foreword sub-agent fw_')));
  const rules = Math.max(...turns.map((turn) => timesGiven(turn, 'Never push to main.')));
  return {
    isRight: child !== undefined && (!field.isOurs || (inChild.every((n) => n === 1) && inParents === 0 && rules <= 1)),
    inChild,
    inParents,
    rules,
  };
}

const ASKED = 'Add the health route, and keep it small please.';
const FACTS = ['Edited: src/health.ts', 'Tests failing: `npm test -- health`', 'expected 200 but got 404'];
/** Some agents name the last commits themselves, but not like this. Codex may not write to a repository. */
const factsOf = (name) => (name === 'codex' ? FACTS : [...FACTS, 'Commits:\n- ']);

/** A session edits a file, has a failing test and makes a commit. */
async function work(field, ask) {
  const { commandCall } = field.recipe;
  const commit = 'git -c user.name=a -c user.email=a@b.c commit -q --allow-empty -m "begin the health route"';
  field.model.next(
    ...calling(
      edit(field, 'src/health.ts', '200'),
      commandCall('npm test -- health'),
      commandCall(`git add readme.txt && ${commit}`),
    ),
    { kind: 'text', text: 'The route is there; its test fails.' },
  );
  field.step('first session');
  await ask(ASKED);
  if (!existsSync(join(field.project, 'src/health.ts'))) throw new Error('the file was not written');
}

/** What the next session of the same agent was told with its first request. */
async function toldNext(field) {
  field.step('next session');
  await field.oneshot('Good morning.');
  const [first] = field.of('next session');
  const facts = [...factsOf(field.name), `"${ASKED}"`].map((fact) => timesGiven(first, fact));
  const twice = timesGiven(first, 'The route is there');
  const isRight = !field.isOurs || (facts.every((n) => n === 1) && twice === 0);
  return { isRight, facts, ...(isRight ? {} : { given: blocksIn(first), log: field.hookLog() }) };
}

/** A session, and the next one of the same agent. */
export async function nextSession(field) {
  await field.init(field.name);
  await work(field, field.oneshot);
  return toldNext(field);
}

/** A session in a terminal, which is closed (the agent gets a hang-up) or in which the agent is killed; then the next one. */
export function cutSession(signal) {
  return async (field) => {
    await field.init(field.name);
    const at = await field.openAlone(UNASKED[field.name]);
    const person = await sitDown(field, at);
    await work(field, (prompt) => person.ask(prompt, 4));
    const { stdout } = await at.tmux('display-message', '-p', '-t', at.target, '#{pane_pid}');
    if (signal === 'SIGKILL') process.kill(Number(stdout), signal);
    await at.tmux('kill-server').catch(() => undefined);
    return toldNext(field);
  };
}

/** A session, and the next one of another agent: the facts always, the prompts after a yes. */
export function nextSessionOf(other) {
  return async (field) => {
    await field.init(field.name, other);
    await work(field, field.oneshot);
    field.step('next session');
    await field.oneshot('Good morning.', { agent: other });
    const [first] = field.of('next session');
    const facts = factsOf(field.name).map((fact) => timesGiven(first, fact));
    const unasked = timesGiven(first, ASKED);
    field.step('after a yes');
    await field.oneshot('Good evening.', { agent: other, more: { FOREWORD_CONTINUITY_ACROSS: 'true' } });
    const prompts = timesGiven(field.of('after a yes')[0], `"${ASKED}"`);
    const isRight = facts.every((n) => n === 1) && unasked === 0 && prompts === 1;
    return { isRight: !field.isOurs || isRight, facts, unasked, prompts };
  };
}

/** Three prompts, two tools each, in one session. */
export async function turns(field) {
  const person = await sitDown(field, await field.open(UNASKED[field.name]));
  for (const [index, prompt] of ['say one and two', 'say it again', 'and once more'].entries()) {
    field.model.next(...calling(...['one', 'two'].map((word) => field.recipe.commandCall(`echo ${word} ${index}`))), {
      kind: 'text',
      text: longAnswer(40),
    });
    field.step(`prompt ${index + 1}`);
    await person.ask(prompt, 3);
  }
  const gates = new Set(field.turns().flatMap((turn) => givenIn(turn).flatMap((text) => text.match(GATE) ?? [])));
  return { isRight: !field.isOurs || gates.size === 1, gates: gates.size };
}

/** Ten prompts of a person's own session with hooks, one tool each, a further task before every second one, a sub-agent at the fourth, and a
 *  compaction after the seventh. What is looked for is the prefix alone. */
export async function tenTurns(field) {
  const tasks = join(field.project, '.foreword/tasks.yaml');
  const { compactCommand, subagent } = { ...field.recipe, ...SETUPS[field.name]?.session };
  writeFileSync(tasks, TASK(1));
  await field.init(field.name);
  const person = await sitDown(field, await field.openAlone(UNASKED[field.name]));
  for (let index = 1; index <= 10; index += 1) {
    if (index % 2 === 0) appendFileSync(tasks, TASK(index));
    const isDelegated = index === 4 && subagent !== undefined;
    if (isDelegated) delegate(field, subagent);
    const text = longAnswer(index === 7 ? (POINTS[field.name] ?? 300) : 40);
    if (!isDelegated) field.model.next(...calling(field.recipe.commandCall(`echo ${index}`)), { kind: 'text', text });
    field.step((request) => (isDelegated && isOrdered(request) ? 'sub-agent' : `prompt ${index}`));
    await person.ask(`go on with number ${index}`, isDelegated ? 3 : 2);
    field.model.standing({ kind: 'acknowledge' });
    if (index !== 7) continue;
    field.step('compaction');
    await person.command(compactCommand ?? '/compact');
  }
  const steps = Array.from({ length: 10 }, (_, index) => field.of(`prompt ${index + 1}`).length);
  const told = field.turns().some((turn) => givenIn(turn).some((text) => text.includes('[foreword ')));
  const subAgents = field.of('sub-agent').length;
  const isRight = steps.every((n) => n >= 2) && told === field.isOurs && (subagent === undefined || subAgents > 0);
  return { isRight, steps, subAgents };
}

const isOrdered = ({ texts }) => texts.some(({ role, text }) => role === 'user' && text.includes(ORDER));

/** The model has a sub-agent count words, and goes on when it is told the number. */
function delegate({ model }, subagent) {
  let isSpawned = false;
  model.standing({
    kind: 'reply',
    reply: (request) => {
      const done = subagent.done?.('Two words.');
      if (isOrdered(request)) return done === undefined ? { kind: 'text', text: 'Two words.' } : calling(done)[0];
      const result = request.texts.at(-1)?.text ?? '';
      if (isSpawned && subagent.wait !== undefined && /"agent_id":"([^"]+)"/.test(result))
        return calling(subagent.wait(result))[0];
      if (isSpawned) return { kind: 'text', text: 'Done.' };
      isSpawned = true;
      return calling(subagent.call(ORDER))[0];
    },
  });
}

const TASK = (index) => `- { task_id: part-00${index}, intent: Build part ${index} of the ledger }\n`;

/** Three prompts of a person's own session with hooks, one tool each, and a further task before each: the header changes each time. */
export async function headers(field) {
  const tasks = join(field.project, '.foreword/tasks.yaml');
  writeFileSync(tasks, TASK(1));
  await field.init(field.name);
  const person = await sitDown(field, await field.openAlone(UNASKED[field.name]));
  const seen = [];
  for (const index of [2, 3, 4]) {
    appendFileSync(tasks, TASK(index));
    field.model.next(...calling(field.recipe.commandCall(`echo ${index}`)), { kind: 'text', text: longAnswer(40) });
    field.step(`prompt ${index - 1}`);
    await person.ask(`go on with number ${index}`, 2);
    seen.push(timesGiven(field.of(`prompt ${index - 1}`)[0], `part-00${index}`));
  }
  return { isRight: !field.isOurs || seen.every((n) => n > 0), seen };
}

const GATE = /\[foreword gate fw_\w+\]/g;

/** A model that does not know the agent's own tool for it edits otherwise. */
function edit(field, path, text) {
  const { editCall, fileCall } = field.recipe;
  const line = `export const part = ${text};`;
  return editCall === undefined ? fileCall(join(field.project, path), `${line}\n`) : editCall(path, line);
}

function longAnswer(points) {
  return Array.from({ length: points }, (_, index) => `Point ${index} of a long explanation.`).join(' ');
}

/** Each once, however often it is given. */
function blocksIn(request) {
  const pattern = /\[foreword startup fw_\w+\][\s\S]*?\[end of foreword startup fw_\w+\]/g;
  return [...new Set(givenIn(request).flatMap((text) => text.match(pattern) ?? []))];
}
