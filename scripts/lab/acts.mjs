// What is recorded of which agent: acts, each in a session of its own.

import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { wait } from './agent-terminal.mjs';
import { busy, errors, fresh, menu, pastes, plain, quotes, server, suggestion, tools, unasked } from './scenes.mjs';

/** Per agent: `ready` is on the first screen that can be typed into; `dialog` on any approval; `interrupt` are the keys
 *  that stop an answer. `queue`: the key that keeps a message for later, where Enter stops the answer. `command`
 *  and `edit`: the call that makes it ask, where the recipe's does not. */
export const AGENTS = {
  claude: { ready: /^❯/m, dialog: /Do you want to/, interrupt: ['\x1b'] },
  codex: {
    ready: /stub-model default · /,
    dialog: /Would you like to/,
    interrupt: ['\x1b'],
    queue: '\t',
    command: (command) => outside({ cmd: command }),
    edit: ({ input }) => outside(input),
  },
  // Its Escape is the one of keyboards that tell keys apart; a plain one is taken for the start of a sequence.
  copilot: { ready: /\/ commands/, dialog: /Do you want to/, interrupt: ['\x1b[27u', '\x1b[27u'] },
  gemini: { ready: /Type your message/, dialog: /Apply this change|Allow execution/, interrupt: ['\x1b'] },
  opencode: { menu: '/models', ready: /Ask anything/, dialog: /Permission required/, interrupt: ['\x1b', '\x1b'] },
  pi: { ready: /stub-model$/m, asksNothing: true, interrupt: ['\x1b'] },
  qwen: { ready: /Type your message/, dialog: /Apply this change|Allow execution|Do you want to/, interrupt: ['\x1b'] },
};

function outside(input) {
  return {
    tool: 'exec_command',
    input: { ...input, sandbox_permissions: 'require_escalated', justification: 'to see' },
  };
}

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
};

/** Acts of one agent alone. `before` changes the scratch; `env` is added; `suggestion` is what the agent is told when it
 *  asks what the person may want to say next. */
export const OWN_ACTS = {
  claude: {
    mcp: {
      asks: [],
      play: server,
      before: ({ project }) =>
        writeFileSync(join(project, '.mcp.json'), '{"mcpServers":{"shop":{"command":"true","args":[]}}}'),
    },
    // Without network it is off unless told.
    suggestion: {
      asks: ['approval'],
      play: suggestion,
      sizes: 2,
      env: { CLAUDE_CODE_ENABLE_PROMPT_SUGGESTION: '1' },
      suggestion: 'run the linter as well',
    },
  },
  qwen: {
    suggestion: {
      asks: ['approval'],
      play: suggestion,
      sizes: 2,
      before: ({ home }) => {
        const path = join(home, '.qwen/settings.json');
        const settings = JSON.parse(readFileSync(path, 'utf8'));
        settings.ui.enableFollowupSuggestions = true;
        writeFileSync(path, JSON.stringify(settings));
      },
      suggestion: 'run the linter as well',
    },
  },
};

/** What a question is known by, and where it leads: keys, and the name of what they lead to. Nothing is answered but to
 *  see the next question. */
const QUESTIONS = {
  trust: { marker: /Do you trust|Trust this folder|Trust project folder|one you trust/ },
  login: {
    marker: /sign in|\/login|authenticate|Connect a Provider|text style/i,
    next: {
      claude: [
        ['\r', 'login-method'],
        ['\r', 'login-code'],
      ],
      codex: [['3', 'login-key']],
      gemini: [
        ['\x1b[B', 'login-second'],
        ['\r', 'login-key'],
      ],
      qwen: [['\x1b[B\x1b[B\r', 'login-custom']],
    },
  },
  key: { marker: /API key/ },
  hooks: { marker: /Hooks need/, next: { codex: [['1', 'hooks-review']] } },
  update: { marker: /Update available/ },
  bypass: { marker: /Bypass/ },
};

/** The act of a question. */
export function questionAct(question) {
  const { marker, next = {} } = QUESTIONS[question];
  const play = async ({ name, terminal, save }) => {
    if ((await terminal.until((screen) => marker.test(screen.lines.join('\n')), 20_000)) === undefined)
      throw new Error('nothing was asked');
    save('asking', question, await terminal.settled(1200));
    for (const [keys, what] of next[name] ?? []) {
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
