// Whether anything is typed while an agent works: real agents at their pinned version and at older ones (lab.ts in their folders)
// run a turn that streams, a turn that waits, a question of the model, a command of the person's (`!`) and a compaction, and a text
// is sent to each while it does. The bytes that our session wrote to the terminal are compared with what the agent did then: the replies of the model as the
// service between them saw them, and the file that the command leaves at its end. No screen decides. Our session knows what foreword
// knows without hooks: the screen, the transcript, and whether the version was measured.
// Usage: node scripts/older-versions.mjs [AGENT…] [--version V] [--scene NAME] [--rounds N] [--size COLSxROWS] [--plain]
// (after scripts/lab/install.mjs [--older]). --plain: title and spinner switched off, or a status line of the person's, for the agents
// whose recording.ts says how.
// Prints a line per trial and a table; exit status 1 when a key came while an agent worked, or a text did not arrive.

import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { parseArgs } from 'node:util';
import { importSource } from './import-source.mjs';
import { wait } from './lab/agent-terminal.mjs';
import { goInside, isInside, LAB, PROGRAMS } from './lab/inside.mjs';
import { labPrograms, olderPrograms } from './lab/install.mjs';
import { startSlow } from './lab/slow-service.mjs';
import { ANSWER, longAnswer, PIECES } from './lab/words.mjs';

const { values, positionals } = parseArgs({
  options: {
    version: { type: 'string', multiple: true },
    scene: { type: 'string', multiple: true },
    rounds: { type: 'string', default: '1' },
    size: { type: 'string', default: '120x40' },
    plain: { type: 'boolean', default: false },
  },
  allowPositionals: true,
});
const [cols, rows] = values.size.split('x').map(Number);
const SIZE = { cols, rows };
/** When the text is sent, after the agent was given its work. */
const SEND_AFTER_MS = [700, 1500, 2500];
const COMMAND_S = 6;
const HOLD_MS = 6000;
const LONGEST_MS = 90_000;

async function main() {
  const source = await loadSource();
  const pinned = Object.entries(labPrograms(PROGRAMS)).map(([name, program]) => ({ name, ...program }));
  const programs = [...pinned, ...olderPrograms(PROGRAMS)]
    .filter(({ name }) => source.RECORDINGS[name] !== undefined)
    .filter(({ name }) => !values.plain || plainAct(source.RECORDINGS[name]) !== undefined)
    .filter(({ name }) => positionals.length === 0 || positionals.includes(name))
    .filter(({ version }) => values.version === undefined || values.version.includes(version))
    .sort((one, other) => one.name.localeCompare(other.name));
  const results = [];
  for (const program of programs)
    for (const scene of (values.scene ?? Object.keys(SCENES)).filter((one) => isOffered(source, program, one)))
      for (let round = 0; round < Number(values.rounds); round += 1) {
        const result = await tried(source, { program, scene, round });
        results.push(result);
        console.log(lineOf(result));
      }
  printTable(results);
  return results.every(({ keys, isServed }) => keys === 0 && isServed === true) ? 0 : 1;
}

/** Some never ask the person anything, or only in a mode of theirs. */
function isOffered(source, { name }, scene) {
  return scene !== 'question' || source.RECORDINGS[name].question !== undefined;
}

/** The act that is recorded with title and spinner switched off. */
function plainAct({ acts = {} }) {
  return Object.entries(acts).find(([name]) => /no-title|own-line/.test(name))?.[1];
}

async function loadSource() {
  const loaded = await Promise.all(
    [
      'src/sessions/session.ts',
      'src/terminals/pty/pty.ts',
      'src/terminals/screen/screen.ts',
      'src/system/patterns/linear.ts',
      'src/stores/memory.ts',
      'src/agents/index.ts',
      'src/agents/recordings.ts',
      'src/verify/lab/recipe.ts',
      'src/verify/lab/scratch.ts',
      'src/verify/model/server.ts',
      'src/sessions/host/transcript.ts',
      'src/stores/sqlite/foreign.ts',
    ].map(importSource),
  );
  return Object.assign({}, ...loaded);
}

/** One agent, one scene, one text. A scene that cannot be played is a fault of the trial, not of the agent. */
async function tried(source, { program, scene, round }) {
  const about = { agent: program.name, version: program.version, scene };
  const stage = await openStage(source, program, { asks: scene === 'question' ? ['approval'] : [] });
  try {
    await stage.untilRest(60_000);
    const work = await SCENES[scene](stage);
    await wait(SEND_AFTER_MS[round % SEND_AFTER_MS.length]);
    if (work.until() !== undefined) throw new Error('the work ended before the text was sent');
    const id = await stage.send();
    const workEndedAt = await ended(work);
    await stage.leaveShell();
    const isServed = await stage.served(id, LONGEST_MS);
    const keys = stage.writes().filter((at) => at >= work.from && at < workEndedAt).length;
    const first = stage.writes().find((at) => at >= workEndedAt);
    const readyMs = stage.readyMs(work.from, workEndedAt);
    return { ...about, keys, isServed, afterMs: first === undefined ? undefined : first - workEndedAt, readyMs };
  } catch (error) {
    return { ...about, fault: `${error.message}\n${stage.shown()}` };
  } finally {
    await stage.close();
  }
}

/** Each begins some work and answers when it began and, once it is over, when it ended. */
const SCENES = {
  streaming: async ({ model, prompt }) => {
    model.next({ kind: 'stream', pieces: PIECES, delayMs: 250 });
    return prompt('Explain how the parser works');
  },
  waiting: async ({ model, prompt }) => {
    model.next({ kind: 'slow', delayMs: HOLD_MS, step: { kind: 'text', text: ANSWER } });
    return prompt('Explain how the parser works');
  },
  /** It is over when the person answered, and the model after them. */
  question: async ({ agent, model, service, prompt, pick, shows }) => {
    const { tool, input } = agent.question.call;
    model.next({ kind: 'call', calls: [{ name: tool, input }] }, { kind: 'text', text: ANSWER });
    const { from } = await prompt('Ask me');
    if (!(await until(() => shows('Which colour'), 15_000))) throw new Error('nothing was asked');
    let before;
    setTimeout(() => {
      before = service.windows().length;
      pick();
    }, HOLD_MS);
    return { from, until: () => (before === undefined ? undefined : endOf(service.windows().slice(before))) };
  },
  command: async ({ type, enter, project }) => {
    const file = join(project, 'ended.txt');
    await type(`!sleep ${COMMAND_S} && date +%s%3N > ended.txt`);
    const from = enter();
    return { from, until: () => (existsSync(file) ? Number(readFileSync(file, 'utf8')) || undefined : undefined) };
  },
  compaction: async ({ agent, model, service, prompt, type, enter, untilRest }) => {
    // There must be something to make shorter.
    model.next({ kind: 'text', text: longAnswer(agent.compactsFrom) });
    await ended(await prompt('Explain everything'));
    await untilRest(30_000);
    service.hold(HOLD_MS);
    const before = service.windows().length;
    await type(agent.compact ?? '/compact');
    const from = enter();
    if (!(await until(() => service.windows().length > before, 15_000))) throw new Error('nothing was compacted');
    return { from, until: () => endOf(service.windows().slice(before)) };
  },
};

async function openStage(source, program, { asks }) {
  const { name } = program;
  const agent = source.RECORDINGS[name];
  const { interactive } = source.AGENTS.find((one) => one.name === name);
  const model = await source.startModel({ standing: { kind: 'text', text: ANSWER } });
  const service = await startSlow(model.url);
  const recipe = source.recipeFor(name);
  const about = { folder: join(LAB, name), modelUrl: service.url, path: program.path, asks };
  const scratch = source.makeScratch(recipe, about);
  const { files, env: ownEnv = {} } = values.plain ? plainAct(agent) : {};
  for (const [path, content] of Object.entries(files?.(scratch, (path) => readFileSync(path, 'utf8')) ?? {})) {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, content);
  }
  mkdirSync(join(scratch.project, 'src'), { recursive: true });
  writeFileSync(join(scratch.project, 'README.md'), '# Parser\n');
  const pty = await source.openPty({
    command: [program.program, ...scratch.terminalArgs],
    cwd: scratch.project,
    env: { ...scratch.env, ...ownEnv },
    size: SIZE,
  });
  const writes = [];
  const readings = [];
  let personAt;
  // What our session writes, with its time: the log that counts.
  const terminal = Object.create(pty, {
    paste: { value: (text) => pty.paste(text).finally(() => writes.push(Date.now())) },
    pressEnter: { value: () => pty.pressEnter().finally(() => writes.push(Date.now())) },
  });
  for (const method of [
    'size',
    'onOutput',
    'onExit',
    'isRaw',
    'write',
    'resize',
    'onResize',
    'pause',
    'resume',
    'end',
    'release',
  ])
    terminal[method] = pty[method].bind(pty);
  const answers = (bytes) => void pty.write(bytes).catch(() => undefined);
  const stores = source.memoryStores();
  const transcript = await source.openTranscriptOf(
    { agent: { name, interactive }, env: scratch.env },
    { cwd: scratch.project, startedAt: Date.now(), openDatabase: source.openForeignDatabase },
  );
  let count = 0;
  const session = await source.openSession({
    id: 's1',
    agent: { name, interactive },
    terminal,
    screen: await source.openScreen(SIZE, { answers }),
    match: source.makeLineMatcher(),
    clock: { now: () => Date.now(), wait },
    stores,
    emit: async () => undefined,
    newId: (prefix) => `${prefix}_${++count}`,
    // Nobody's keys hold a text up here: only the screen does.
    rules: { ...RULES, submitDelayMs: interactive.submit.delayMs },
    version: { isMeasured: program.version === interactive.screensFrom?.version },
    isUnused: true,
    ...(transcript === undefined ? {} : { transcript }),
    personAt: async () => personAt,
    queueSize: 10,
    ackPatterns: [],
    onFault: (error) => console.error(error),
  });
  session.watch.onChange(() => readings.push({ at: Date.now(), isFree: isFree(session.watch.verdict) }));
  const person = (text) => {
    personAt = Date.now();
    return pty.write(Buffer.from(text));
  };
  const type = async (text) => {
    for (const letter of text) {
      await person(letter);
      await wait(25);
    }
    await wait(800);
  };
  const enter = () => {
    const at = Date.now();
    void person('\r');
    return at;
  };
  return {
    agent,
    model,
    service,
    project: scratch.project,
    type,
    enter,
    pick: () => void person('\r'),
    shows: (text) => session.watch.screen.lines.join('\n').includes(text),
    /** A prompt; its work ends with the last reply of the model. */
    prompt: async (text) => {
      const before = service.windows().length;
      // A title may be asked for first.
      const turns = () => model.requests().filter(({ isMain }) => isMain).length;
      const turnsBefore = turns();
      await type(text);
      const from = enter();
      if (!(await until(() => turns() > turnsBefore, 30_000))) throw new Error('the model was not asked');
      return { from, until: () => endOf(service.windows().slice(before)) };
    },
    untilRest: async (limitMs) => {
      const isAtRest = () => {
        const { verdict, movedAt } = session.watch;
        return isFree(verdict) && Date.now() - movedAt > 1500;
      };
      if (!(await until(isAtRest, limitMs)))
        throw new Error(`it did not come to rest: ${JSON.stringify(session.watch.verdict)}`);
    },
    send: async () => {
      const id = `fw_trial${++count}`;
      const about = { moment: 'prompt', priority: 'normal', ladder: ['typed'], required: 'submitted' };
      await session.deliver({ id, text: 'A note from elsewhere.', ...about });
      return id;
    },
    served: (id, limitMs) => until(() => model.find(id).length > 0, limitMs),
    /** Some stay in the mode for commands, into which nothing is typed, until the person leaves it. */
    leaveShell: async () => {
      await wait(1500);
      const { composer } = session.watch.verdict;
      if (composer.kind === 'text' && composer.text.startsWith('!')) await person('\x1b');
    },
    writes: () => writes,
    shown: () => session.watch.screen.lines.join('\n').trimEnd(),
    /** How long the rules alone called the screen ready in between. */
    readyMs: (from, to) => {
      const within = readings.filter(({ at }) => at >= from + 300 && at < to);
      return within.reduce((sum, { at, isFree }, index) => sum + (isFree ? (within[index + 1]?.at ?? to) - at : 0), 0);
    },
    close: async () => {
      await session.close();
      transcript?.close();
      await pty.end(2000);
      await service.close();
      await model.close();
      await scratch.remove();
    },
  };
}

/** What the rules alone take for a composer that can be typed into. */
function isFree({ state, composer }) {
  return state === 'ready' && composer.kind === 'empty';
}

const RULES = {
  stableMs: 300,
  personMs: 0,
  readinessTimeoutMs: 120_000,
  retryBackoffs: [1000, 2000, 5000, 10_000],
  fileFallbackAfterAttempts: 3,
  sendNotificationOnFailure: false,
};

/** When the last of these requests was answered, and no other followed within a second; absent while one runs. */
function endOf(windows) {
  if (windows.length === 0 || windows.some((window) => window.until === undefined)) return undefined;
  return Math.max(...windows.map((window) => window.until));
}

async function ended(work) {
  let end;
  await until(() => {
    end = work.until();
    return end !== undefined;
  }, LONGEST_MS);
  if (end === undefined) throw new Error('the work did not end');
  return end;
}

async function until(isSo, limitMs) {
  for (const from = Date.now(); Date.now() - from < limitMs; await wait(20)) if (isSo()) return true;
  return isSo();
}

function lineOf({ agent, version, scene, fault, keys, isServed, afterMs, readyMs }) {
  const head = `${agent} ${version} ${scene}`;
  if (fault !== undefined) return `${head}: not tried: ${fault}`;
  const after = afterMs === undefined ? 'never typed' : `typed ${(afterMs / 1000).toFixed(1)} s after the end`;
  return `${head}: ${keys} keys while it worked, ${after}, ${isServed ? 'served' : 'NOT served'}; read ready for ${(readyMs / 1000).toFixed(1)} s`;
}

function printTable(results) {
  const rows = new Map();
  for (const { agent, version, fault, keys } of results) {
    const key = `${agent} ${version}`;
    const row = rows.get(key) ?? { trials: 0, keys: 0, faults: 0 };
    if (fault === undefined) rows.set(key, { ...row, trials: row.trials + 1, keys: row.keys + keys });
    else rows.set(key, { ...row, faults: row.faults + 1 });
  }
  for (const [key, { trials, keys, faults }] of rows)
    console.log(`| ${key} | ${trials} | ${keys} |${faults > 0 ? ` ${faults} not tried` : ''}`);
}

process.exitCode = isInside ? await main() : await goInside();
