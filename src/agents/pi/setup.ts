// What belongs to a set-up of pi. Seen: 0.87.1. Its extensions are modules that it loads into itself, from folders and from the list
// `extensions` of its settings. It has no hooks that are commands, no MCP servers, no sub-agents and no imports in instruction files.

import { json } from '../../kernel/agent-lab.ts';
import type { SetupFacts } from '../../kernel/agent-setup.ts';
import { RECORDED } from './recorded.ts';

/** Of the settings: what leads to another service, runs a helper, or changes how its screen looks. */
const LEFT_OUT = [
  ...['defaultProvider', 'defaultModel', 'enabledModels', 'modelThinkingLevels', 'transport', 'httpProxy', 'theme'],
  ...['tuiMode', 'externalEditor', 'npmCommand', 'sessionDir', 'shellPath', 'shellCommandPrefix', 'cacheWarming'],
  ...['editorPaddingX', 'outputPad', 'terminal', 'markdown', 'quietStartup', 'retry', 'defaultProjectTrust'],
];
/** What a set-up brings, as opposed to how the agent itself is set. */
const BROUGHT = ['extensions', 'packages', 'skills', 'prompts', 'themes'];

export const setup: SetupFacts = {
  folder: { path: '.pi/agent', variable: 'PI_CODING_AGENT_DIR' },
  beside: ['.agents'],
  left: [
    ...['auth.json', 'sessions', 'models.json', 'bin', 'npm', 'git', 'trust.json', 'themes', 'cache', 'tmp', 'logs'],
    ...['debug.log', 'crash.log', 'keybindings.json', 'package.json', 'package-lock.json'],
  ],
  projectInstructions: [
    ...['AGENTS.override.md', 'AGENTS.md', 'AGENTS.MD', 'CLAUDE.md', 'CLAUDE.MD', '.pi/', '.agents/skills/'],
  ],
  homeInstructions: ['.pi/agent/AGENTS.override.md', '.pi/agent/AGENTS.md', '.pi/agent/CLAUDE.md'],
  projectSettings: ['.pi/settings.json'],
  settings: (value, { path, isBaseline }) => {
    if (!/(^|\/)settings\.json$/.test(path)) return isBaseline ? undefined : value;
    const dropped = [...LEFT_OUT, ...(isBaseline ? BROUGHT : [])];
    return Object.fromEntries(Object.entries(value).filter(([key]) => !dropped.includes(key)));
  },
  fileKeys: ['skills'],
  serverKeys: [],
  toolName: 'mcp_{server}_{tool}',
  // Otherwise it finds the short session not worth a compaction.
  session: {
    files: ({ home }) => ({ [`${home}/.pi/agent/settings.json`]: json({ compaction: { keepRecentTokens: 1 } }) }),
  },
  modules: {
    folders: ['.pi/agent/extensions', '.pi/extensions'],
    key: 'extensions',
    unmeasured: 'packages',
    code: RECORDED,
  },
};
