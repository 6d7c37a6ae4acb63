// Records what real agents show, as fixtures: src/agents/AGENT/screens/STATE/WHAT-COLSxROWS.txt, in the format of
// writeScreen (src/kernel/screen.ts). Each agent runs at its pinned version with a home of its own, against the loopback
// model, in namespaces where nothing else is: no network, and /srv holds the programs and a folder per agent, so that no
// path of this machine can be on a screen.
// Usage: node scripts/record-screens.mjs [AGENT…] [--act NAME] [--size COLSxROWS]   (after scripts/lab/install.mjs)

import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { importSource } from './import-source.mjs';
import { ACTS, ownActs, questionAct } from './lab/acts.mjs';
import { openTerminal } from './lab/agent-terminal.mjs';
import { HELLO_HOSTS, startHello } from './lab/hello-service.mjs';
import { goInside, isInside, LAB, PROGRAMS } from './lab/inside.mjs';
import { labPrograms } from './lab/install.mjs';
import { watched } from './lab/scenes.mjs';
import { startSlow } from './lab/slow-service.mjs';
import { startSuggesting } from './lab/suggesting.mjs';
import { FINISHED } from './lab/words.mjs';

const SIZES = ['80x24', '120x40', '200x60'];
const TRIES = 3;
const root = join(import.meta.dirname, '..');
const { values, positionals } = parseArgs({
  options: { act: { type: 'string', multiple: true }, size: { type: 'string', multiple: true } },
  allowPositionals: true,
});
process.exitCode = isInside ? await record() : await goInside(HELLO_HOSTS);

async function record() {
  const { recipeFor } = await importSource('src/verify/lab/recipe.ts');
  const { RECORDINGS } = await importSource('src/agents/recordings.ts');
  const { makeScratch } = await importSource('src/verify/lab/scratch.ts');
  const { startModel } = await importSource('src/verify/model/server.ts');
  const { writeScreen } = await importSource('src/kernel/screen.ts');
  const { writeFrames } = await importSource('src/testing/frames.ts');
  const programs = labPrograms(PROGRAMS);
  let failures = 0;
  for (const name of positionals.length > 0 ? positionals : Object.keys(RECORDINGS)) {
    const program = programs[name];
    if (program === undefined) {
      console.error(`${name} is not installed: node scripts/lab/install.mjs ${name}`);
      failures += 1;
      continue;
    }
    const recipe = recipeFor(name);
    for (const [actName, act] of actsFor(recipe, RECORDINGS[name]))
      for (const size of act.onlySizes ?? values.size ?? SIZES.slice(0, act.sizes))
        failures += await playPatiently({ name, program, recipe, size, actName, act });
  }
  return failures > 0 ? 1 : 0;

  /** A machine with much to do makes agents lose keys. */
  async function playPatiently(what) {
    for (let tries = 1; tries < TRIES; tries += 1) if ((await play(what)) === 0) return 0;
    return play(what);
  }

  async function play({ name, program, recipe, size, actName, act }) {
    const [cols, rows] = size.split('x').map(Number);
    // Always the same port: some agents show it.
    const model = await startModel({ port: 8099 });
    const watch = watched(model);
    const slow = act.isSlow ? await startSlow(model.url) : undefined;
    const between = act.suggestion === undefined ? slow : await startSuggesting(model.url, act.suggestion);
    const scratch = makeScratch(recipe, {
      folder: join(LAB, name, act.folder ?? ''),
      modelUrl: between?.url ?? model.url,
      path: program.path,
      asks: act.asks,
    });
    prepare(scratch);
    act.before?.(scratch);
    const hello = actName === 'login' ? await startHello('/srv') : undefined;
    const { COLORTERM, ...env } = scratch.env;
    const terminal = await openTerminal({
      command: [program.program, ...scratch.terminalArgs],
      cwd: scratch.project,
      env: {
        ...env,
        ...(act.isPlain ? {} : { COLORTERM }),
        ...act.env,
        ...(hello === undefined ? {} : { NODE_EXTRA_CA_CERTS: hello.certificate }),
      },
      cols,
      rows,
      isPlain: act.isPlain === true,
    });
    const save = (state, what, screen) => {
      if (screen === undefined) throw new Error(`${what} did not come to rest`);
      if (terminal.hasEnded()) throw new Error(`the agent ended before ${what}`);
      const isWorking = watch.isAnswering() || (what.includes('tool') && !existsSync(join(scratch.project, FINISHED)));
      // What a screen stands for is known from the model, not from the screen.
      if (state === 'busy' && !isWorking && !what.startsWith('retrying')) throw new Error(`it is not busy in ${what}`);
      if (state === 'ready' && watch.isAnswering()) throw new Error(`it is busy in ${what}`);
      const folder = join(root, 'src/agents', name, 'screens', state);
      mkdirSync(folder, { recursive: true });
      writeFileSync(join(folder, `${what}-${size}.txt`), neutral(writeScreen(screen)));
    };
    /** Frames of an agent at work, which the scene knows from elsewhere. The last one is there twice: it stood until `forMs`. */
    const keep = (what, frames, forMs) => {
      if (frames.length === 0) throw new Error(`${what} has no frame`);
      const folder = join(root, 'src/agents', name, 'screens/moving');
      mkdirSync(folder, { recursive: true });
      writeFileSync(
        join(folder, `${what}-${size}.frames`),
        neutral(writeFrames([...frames, { ...frames.at(-1), atMs: forMs }])),
      );
    };
    try {
      await act.play({
        name,
        actName,
        terminal,
        model: watch,
        service: slow,
        save,
        keep,
        recipe,
        scratch,
        agent: RECORDINGS[name],
      });
      console.log(`${name} ${size} ${actName}`);
      return 0;
    } catch (error) {
      console.error(`${name} ${size} ${actName}: ${error.message}`);
      console.error(terminal.screen().lines.join('\n').trimEnd());
      return 1;
    } finally {
      await terminal.end();
      await between?.close();
      await model.close();
      await hello?.close();
      await scratch.remove();
    }
  }
}

function actsFor(recipe, recording) {
  const questions = recipe.questions.filter((question) => question !== 'approval');
  const all = [
    ...Object.entries(ACTS),
    ...ownActs(recording),
    ...questions.map((question) => [question, questionAct(question)]),
  ];
  // Who asks nothing anyway has no mode without questions.
  const some = recipe.questions.includes('approval') ? all : all.filter(([name]) => name !== 'unasked');
  return some.filter(([name]) => values.act === undefined || values.act.includes(name));
}

/** A few files, so that the folder looks like someone's. */
function prepare({ project }) {
  mkdirSync(join(project, 'src'), { recursive: true });
  writeFileSync(join(project, 'README.md'), '# Parser\n');
  writeFileSync(join(project, 'src/parser.js'), 'export const parse = (text) => text.split("\\n");\n');
}

/** The project is the only path that may stand on a screen. */
function neutral(text) {
  for (const place of [root, process.env.HOME])
    if (place !== undefined && place.length > 1 && text.includes(place)) throw new Error(`a screen shows ${place}`);
  return text;
}
