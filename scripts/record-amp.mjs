// Records what Amp shows, as record-screens.mjs does for the agents that can be pointed at a model. Amp's loop is on its
// service's side, so the whole service is played on loopback (lab/amp-service.mjs).
// Usage: node scripts/record-amp.mjs [--act NAME] [--size COLSxROWS]
// after: npm install --ignore-scripts --prefix LAB/amp/VERSION @ampcode/cli@VERSION   (LAB as in scripts/lab/install.mjs)

import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { importSource } from './import-source.mjs';
import { openTerminal, wait } from './lab/agent-terminal.mjs';
import { startAmpService } from './lab/amp-service.mjs';
import { goInside, isInside, LAB, PROGRAMS } from './lab/inside.mjs';
import { busy, fresh, pastes, plain, quotes, tools } from './lab/scenes.mjs';

const VERSION = '0.0.1790142911-g7618fb';
const SIZES = ['80x24', '120x40', '200x60'];
const PORT = 8099;
const CTRL_O = '\x0f';
/** One opens a menu, the other is a letter like any. */
const NO_DRAFTS = ['draft-slash', 'draft-shell-mode'];
const AGENT = { ready: /^╭─.*╮$/m, interrupt: ['\x1b', '\x1b'], asksNothing: true, noDrafts: NO_DRAFTS };
const RECIPE = { commandCall: (command) => ({ tool: 'shell_command', input: { command } }) };
const root = join(import.meta.dirname, '..');

/** `isNew`: nobody used it here before. */
const ACTS = {
  login: { play: login, hasKey: false },
  tour: { play: tour, isNew: true },
  fresh: { play: fresh },
  pastes: { play: pastes },
  busy: { play: busy },
  tools: { play: tools },
  quotes: { play: quotes, sizes: 2 },
  menu: { play: menu, sizes: 2 },
  plain: { play: plain, isPlain: true, sizes: 1 },
  lost: { play: lost, refusesThreads: true },
};

const { values } = parseArgs({
  options: { act: { type: 'string', multiple: true }, size: { type: 'string', multiple: true } },
});
process.exitCode = isInside ? await record() : await goInside();

async function record() {
  const { writeScreen } = await importSource('src/kernel/screen.ts');
  const program = join(PROGRAMS, 'amp', VERSION, 'node_modules/@ampcode/cli-linux-x64/amp');
  if (!existsSync(program)) {
    console.error(`Amp ${VERSION} is not installed.`);
    return 1;
  }
  let failures = 0;
  for (const size of values.size ?? SIZES)
    for (const [name, act] of Object.entries(ACTS)) {
      if (values.act !== undefined && !values.act.includes(name)) continue;
      if (values.size === undefined && SIZES.indexOf(size) >= (act.sizes ?? SIZES.length)) continue;
      if (!(await play({ program, size, name, act, writeScreen }))) failures += 1;
    }
  return failures > 0 ? 1 : 0;
}

async function play({ program, size, name, act, writeScreen }) {
  const [cols, rows] = size.split('x').map(Number);
  const service = await startAmpService({ port: PORT, refusesThreads: act.refusesThreads });
  const { home, project } = prepare(act);
  const env = {
    ...{ PATH: '/usr/bin:/bin', HOME: home, TERM: 'xterm-256color', LANG: 'C.UTF-8', SHELL: '/bin/bash', USER: 'dev' },
    ...(act.isPlain ? {} : { COLORTERM: 'truecolor' }),
    ...(act.hasKey === false ? {} : { AMP_API_KEY: 'dummy' }),
    AMP_URL: service.url,
  };
  const terminal = await openTerminal({ command: [program], cwd: project, env, cols, rows, isPlain: act.isPlain });
  terminal.settled = (quietMs, timeoutMs) => settled(terminal, quietMs, timeoutMs);
  const save = (state, what, screen) => {
    if (screen === undefined) throw new Error(`${what} did not come to rest`);
    if (terminal.hasEnded()) throw new Error(`it ended before ${what}`);
    if (state === 'busy' && !service.isAnswering() && !what.startsWith('lost'))
      throw new Error(`it is not busy in ${what}`);
    if (state === 'ready' && service.isAnswering()) throw new Error(`it is busy in ${what}`);
    const folder = join(root, 'src/agents/amp/screens', state);
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, `${what}-${size}.txt`), writeScreen(screen));
  };
  try {
    await act.play({ name: 'amp', terminal, model: service, save, recipe: RECIPE, scratch: { project }, agent: AGENT });
    console.log(`amp ${size} ${name}`);
    return true;
  } catch (error) {
    console.error(`amp ${size} ${name}: ${error.message}`);
    console.error(terminal.screen().lines.join('\n').trimEnd());
    return false;
  } finally {
    await terminal.end();
    await service.close();
  }
}

/** A home and a project as somebody's who used it before. */
function prepare({ isNew }) {
  const [home, project] = [join(LAB, 'home'), join(LAB, 'shop')];
  for (const folder of [home, project]) rmSync(folder, { recursive: true, force: true });
  mkdirSync(join(home, '.local/share/amp'), { recursive: true });
  mkdirSync(join(project, 'src'), { recursive: true });
  if (!isNew) writeFileSync(join(home, '.local/share/amp/session.json'), '{"neoWelcomeDismissed":true}');
  writeFileSync(join(project, 'README.md'), '# Parser\n');
  writeFileSync(join(project, 'src/parser.js'), 'export const parse = (text) => text.split("\\n");\n');
  return { home, project };
}

/** Its first screen has a picture that always moves: at rest is what it frames, and where the cursor is. */
async function settled(terminal, quietMs = 400, timeoutMs = 20_000) {
  const look = ({ lines, cursor }) => JSON.stringify([lines.filter((line) => /^[╭│╰]/.test(line)), cursor]);
  const deadline = performance.now() + timeoutMs;
  let last = look(terminal.screen());
  for (let since = performance.now(); performance.now() < deadline; await wait(25)) {
    const now = look(terminal.screen());
    if (now !== last) since = performance.now();
    else if (performance.now() - since >= quietMs) return terminal.until(() => true);
    last = now;
  }
  return undefined;
}

async function login({ terminal, save }) {
  if ((await terminal.until(shows(/log in to Amp/))) === undefined) throw new Error('nothing was asked');
  save('asking', 'login', await terminal.settled(1200));
}

/** What it tells who is new, page by page. */
async function tour({ terminal, save }) {
  const pages = [/Welcome to Amp/, /1\/5/, /2\/5/, /3\/5/, /4\/5/, /5\/5/];
  for (const [page, sign] of pages.entries()) {
    if (page > 0) terminal.write(' ');
    const isThere = (screen) => shows(sign)(screen) && shows(/Space to continue/)(screen);
    if ((await terminal.until(isThere)) === undefined) throw new Error(`page ${page} did not show`);
    await wait(600);
    if (page < 2) save('asking', `tour-${page + 1}`, await terminal.until(isThere));
  }
  terminal.write(' ');
  save('asking', 'tour-last', await terminal.until(shows(/Enter to get started/)));
}

async function menu({ terminal, save, agent }) {
  await terminal.until(shows(agent.ready));
  await terminal.settled(1200);
  terminal.write(CTRL_O);
  if ((await terminal.until(shows(/Command Palette/))) === undefined) throw new Error('no menu opened');
  save('asking', 'menu', await terminal.settled(800));
}

/** Its service goes away. */
async function lost({ terminal, save, agent }) {
  await terminal.until(shows(agent.ready));
  await terminal.settled(1200);
  await terminal.type('Explain how the parser works', 15);
  terminal.enter();
  save('busy', 'lost-1', await terminal.until(shows(/Connection failed/)));
  await wait(3000);
  save('busy', 'lost-2', await terminal.until(shows(/Reconnecting/)));
}

function shows(pattern) {
  return ({ lines }) => pattern.test(lines.join('\n'));
}
