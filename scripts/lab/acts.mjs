// What is recorded of which agent: acts, each in a session of its own.

import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { wait } from './agent-terminal.mjs';
import { agents, asked, command, compaction, other, question, resume, waiting } from './later-scenes.mjs';
import { busy, errors, fresh, menu, pastes, plain, quotes, server, suggestion, tools, unasked } from './scenes.mjs';

/** The acts by name. `asks` is what the agent is left to ask; `sizes` how many of the sizes are worth it, all unless
 *  told. */
export const ACTS = {
  fresh: { asks: ['approval'], play: fresh },
  pastes: { asks: ['approval'], play: pastes },
  busy: { asks: ['approval'], play: busy },
  tools: { asks: ['approval'], play: tools },
  errors: { asks: ['approval'], play: errors, sizes: 2 },
  quotes: { asks: ['approval'], play: quotes, sizes: 2 },
  unasked: { asks: [], play: unasked, sizes: 1 },
  menu: { asks: ['approval'], play: menu, sizes: 2 },
  plain: { asks: ['approval'], play: plain, isPlain: true, sizes: 1 },
  command: { asks: [], play: command, sizes: 2 },
  compaction: { asks: [], play: compaction, isSlow: true, sizes: 2 },
  resume: { asks: ['approval'], play: resume, sizes: 2 },
  question: { asks: ['approval'], play: question, sizes: 2 },
};

/** Acts of one agent alone, which its folder names (recording.ts). */
export function ownActs({ acts = {} }) {
  const scenes = { agents, asked, command, compaction, other, server, suggestion, waiting };
  return Object.entries(acts).map(([name, { scene, files, ...rest }]) => {
    const before = ({ home, project }) => {
      const made = files?.({ home, project }, (path) => readFileSync(path, 'utf8')) ?? {};
      for (const [path, content] of Object.entries(made)) {
        mkdirSync(dirname(path), { recursive: true });
        writeFileSync(path, content);
      }
    };
    return [name, { ...rest, play: scenes[scene], before }];
  });
}

/** What a question is known by. Nothing is answered but to see the next question, as the agent's folder says. */
const MARKERS = {
  trust: /Do you trust|Trust this folder|Trust project folder|one you trust/,
  login: /sign in|\/login|authenticate|Connect a Provider|text style/i,
  key: /API key/,
  hooks: /Hooks need/,
  update: /Update available/,
  bypass: /Bypass/,
};

/** The act of a question. */
export function questionAct(question) {
  const play = async ({ agent, terminal, save }) => {
    if ((await terminal.until((screen) => MARKERS[question].test(screen.lines.join('\n')), 20_000)) === undefined)
      throw new Error('nothing was asked');
    save('asking', question, await terminal.settled(1200));
    for (const [keys, what] of agent.next?.[question] ?? []) {
      terminal.write(keys);
      await wait(500);
      save('asking', what, withoutCodes(await terminal.settled(1200)));
    }
  };
  return { asks: [question], play };
}

/** An address made for one sign-in holds codes that are new each time. */
function withoutCodes(screen) {
  const start = screen.lines.findIndex((line) => line.startsWith('https://'));
  if (start === -1) return screen;
  const isPart = (row) => row > start && screen.lines.slice(start, row + 1).every((line) => /^\S+$/.test(line));
  const blind = (lines) => lines.map((line, row) => (isPart(row) ? line.replace(/[A-Za-z0-9]/g, 'x') : line));
  return { ...screen, lines: blind(screen.lines), solid: blind(screen.solid) };
}
