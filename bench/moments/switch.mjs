// A limit of one agent in a live session, and another agent in the same terminal, by hand: the person's prompt stands in its composer
// unsent, its model is given what happened once, and the first agent comes back with the draft. Without foreword the person
// opens the second agent in another terminal and types the prompt again.

import { setTimeout as sleep } from 'node:timers/promises';
import { importSource } from '../../scripts/import-source.mjs';
import { until } from '../run-to-end.mjs';
import { COMMAND, timesGiven } from './field.mjs';
import { sitDown } from './person.mjs';

const { openPty } = await importSource('src/terminals/pty/pty.ts');
const { openScreen } = await importSource('src/terminals/screen/screen.ts');

const SIZE = { cols: 120, rows: 40 };
const PROMPT = 'Fix the seventh door, please.';
const DRAFT = 'and then the window';
const AFTER = 'Fix the eighth door as well.';
/** By default it tries again for minutes. */
const FEW_RETRIES = { CLAUDE_CODE_MAX_RETRIES: '1' };
const PATIENCE_MS = 60_000;
const BLOCK = 'PROVIDER SWITCH CONTEXT';

export function switchIn(flags) {
  return async (field) => {
    if (!field.isOurs) return byHand(field);
    const env = { ...field.env, ...FEW_RETRIES };
    const command = [process.execPath, COMMAND, 'start', field.name, ...flags, '--', ...field.terminalArgs];
    const at = await openAt({ command, cwd: field.project, env });
    try {
      return await switched(field, at);
    } finally {
      await at.close();
    }
  };
}

async function switched(field, at) {
  const session = async (agent) => (await field.sessions()).find((one) => one.agent === agent);
  const isReady = (agent) => async () => (await session(agent))?.readiness === 'ready';
  await at.must('the first agent is ready', isReady(field.name));
  field.model.standing({ kind: 'error', status: 429, body: 'quota' });
  field.step('limit');
  await at.type(PROMPT);
  await at.press('\r');
  const hint = async () => (await session(field.name))?.hint ?? '';
  await at.must('the command is named', async () => (await hint()).includes('foreword switch'));
  await at.must('the first agent is ready again', isReady(field.name));
  await at.type(DRAFT);
  field.model.standing({ kind: 'acknowledge' });

  field.step('switched');
  const startedAt = Date.now();
  await field.must('switch', 'codex');
  await at.must('the prompt is in the composer', () => at.seen().includes(`› ${PROMPT}`));
  const switchMs = Date.now() - startedAt;
  await sleep(1500);
  const given = () => field.turns().filter((turn) => timesGiven(turn, BLOCK) > 0);
  const early = given().length;
  await at.press('\r');
  await at.must('the model was asked', () => given().length > 0);
  const [first] = given();
  const counts = [BLOCK, `Previous provider (${field.name}) failed: limit`, PROMPT].map((text) =>
    timesGiven(first, text),
  );
  await at.must('the second agent is ready', isReady('codex'));
  field.step('second turn');
  await at.type(AFTER);
  await at.press('\r');
  await at.must('the second turn came', () => field.of('second turn').length > 0);
  const [second] = field.of('second turn');
  const again = [BLOCK, PROMPT, AFTER].map((text) => timesGiven(second, text));
  const codex = (await session('codex'))?.id;
  const receipts = async () => JSON.parse((await field.must('receipts', '--json')).stdout).receipts;
  const isServed = await until(
    async () => (await receipts()).some((one) => one.session === codex && one.proof === 'served'),
    PATIENCE_MS,
    300,
  );
  const answered = given().filter(({ status }) => status === 200).length;
  await field.must('switch', field.name);
  const isKept = await until(() => at.seen().includes(DRAFT), PATIENCE_MS);
  const drafts = field.turns().filter((turn) => timesGiven(turn, DRAFT) > 0).length;
  await at.must('the first agent is ready once more', isReady(field.name));
  field.step('back');
  await at.press('\r');
  await at.must('the draft was sent', () => field.of('back').length > 0);
  const back = [PROMPT, DRAFT].map((text) => timesGiven(field.of('back')[0], text));
  const isOnce = [...counts, ...again, ...back].every((n) => n === 1);
  const isRight = early === 0 && drafts === 0 && isKept && isServed && answered > 0 && isOnce;
  return { isRight, switchMs, early, counts, again, back, isServed, isKept, drafts };
}

/** The same prompts without foreword, each agent in a terminal of its own. */
async function byHand(field) {
  field.step('limit');
  const first = await sitDown(field, await field.openAlone(field.terminalArgs, { more: FEW_RETRIES }));
  field.model.standing({ kind: 'error', status: 429, body: 'quota' });
  await first.ask(PROMPT);
  field.model.standing({ kind: 'acknowledge' });
  field.step('switched');
  const second = await sitDown(field, await field.openAlone(['--ask-for-approval', 'never'], { agent: 'codex' }));
  await second.ask(PROMPT);
  field.step('second turn');
  await second.ask(AFTER);
  field.step('back');
  await first.ask(DRAFT);
  return { isRight: true };
}

/** A terminal of a person's, as they see it. */
async function openAt({ command, cwd, env }) {
  const shown = await openScreen(SIZE);
  const terminal = await openPty({ command, cwd, env, size: SIZE });
  terminal.onOutput((bytes) => shown.feed(bytes));
  const seen = () => shown.read().lines.join('\n');
  const must = async (what, condition) => {
    if (!(await until(condition, PATIENCE_MS, 200))) throw new Error(`not seen: ${what}\n${seen()}`);
  };
  return {
    seen,
    must,
    press: (keys) => terminal.write(Buffer.from(keys)),
    async type(keys) {
      await terminal.write(Buffer.from(keys));
      await must(`"${keys}" on the screen`, () => seen().includes(keys));
      await sleep(400);
    },
    async close() {
      await terminal.end();
      shown.close();
    },
  };
}
