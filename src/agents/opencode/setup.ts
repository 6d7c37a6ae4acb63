// What belongs to a set-up of OpenCode. Seen: 1.18.33. Its plug-ins are modules that it loads into itself, from plugin/ and plugins/ and from
// the list `plugin` of its settings. It has no hooks that are commands, and no imports in instruction files. Further settings, agents,
// plug-ins and tools are in ~/.opencode and in .opencode of the project.

import type { SetupFacts } from '../../kernel/agent-setup.ts';
import { RECORDED } from './recorded.ts';

type Value = Readonly<Record<string, unknown>>;

/** Of the settings: what leads to another service, starts a helper, asks before a tool, or changes how its screen looks. */
const LEFT_OUT = [
  ...[
    'model',
    'small_model',
    'provider',
    'enabled_providers',
    'disabled_providers',
    'enterprise',
    'share',
    'autoshare',
  ],
  ...['autoupdate', 'server', 'permission', 'formatter', 'lsp', 'theme', 'keybinds', 'tui', 'layout', 'logLevel'],
  ...['username'],
];
/** What a set-up brings, as opposed to how the agent itself is set. */
const BROUGHT = ['plugin', 'mcp', 'instructions', 'agent', 'mode', 'command', 'default_agent', 'skills', 'references'];
/** Of each agent: a model of another service. */
const OF_AGENTS = ['agent', 'mode', 'command'];

/** In each folder of settings, in the home and in the project. */
const FOLDERS = ['agent', 'agents', 'mode', 'modes', 'command', 'commands', 'skill', 'skills', 'tool', 'tools'];
const PLUG_INS = ['plugin', 'plugins'];
const FILES = ['opencode.json', 'opencode.jsonc', 'package.json', 'package-lock.json', 'node_modules'];

export const setup: SetupFacts = {
  folder: { path: '.config/opencode', above: 'XDG_CONFIG_HOME' },
  // Its program may be in ~/.opencode/bin.
  beside: [
    ...[...FOLDERS, ...PLUG_INS, ...FILES].map((name) => `.opencode/${name}`),
    ...['.claude/CLAUDE.md', '.claude/skills', '.agents/skills'],
  ],
  left: ['auth.json', 'tui.json', 'tui.jsonc', 'themes', 'service.json'],
  projectInstructions: ['AGENTS.md', 'CLAUDE.md', 'CONTEXT.md', '.opencode/', '.claude/skills/', '.agents/skills/'],
  homeInstructions: ['.config/opencode/AGENTS.md', '.claude/CLAUDE.md'],
  projectSettings: ['opencode.json', 'opencode.jsonc', '.opencode/opencode.json', '.opencode/opencode.jsonc'],
  settings: (value, { path, isBaseline }) => {
    if (!/(^|\/)(opencode|config)\.jsonc?$/.test(path)) return isBaseline ? undefined : value;
    const dropped = [...LEFT_OUT, ...(isBaseline ? BROUGHT : [])];
    const kept = Object.entries(value).filter(([key]) => !dropped.includes(key));
    return Object.fromEntries(kept.map(([key, one]) => [key, OF_AGENTS.includes(key) ? withoutModels(one) : one]));
  },
  textKeys: ['agent.*.prompt', 'agent.*.description', 'mode.*.prompt', 'mode.*.description', 'command.*.template'],
  fileKeys: ['instructions'],
  serverKeys: ['mcp'],
  toolName: '{server}_{tool}',
  session: {
    compactCommand: '/compact',
    subagent: {
      call: (prompt) => ({ tool: 'task', input: { description: 'count words', prompt, subagent_type: 'general' } }),
    },
  },
  modules: {
    folders: ['.config/opencode', '.opencode'].flatMap((folder) => PLUG_INS.map((name) => `${folder}/${name}`)),
    isFlat: true,
    tools: ['.config/opencode', '.opencode'].flatMap((folder) => [`${folder}/tool`, `${folder}/tools`]),
    key: 'plugin',
    packages: (entry) => {
      const at = entry.indexOf('@', 1);
      const [name, version] = at === -1 ? [entry, 'latest'] : [entry.slice(0, at), entry.slice(at + 1)];
      return [
        `.cache/opencode/packages/${name}@${version}/node_modules/${name}`,
        `.cache/opencode/node_modules/${name}`,
      ];
    },
    code: RECORDED,
  },
};

function withoutModels(agents: unknown): unknown {
  if (typeof agents !== 'object' || agents === null) return agents;
  return Object.fromEntries(
    Object.entries(agents as Value).map(([name, one]) => {
      if (typeof one !== 'object' || one === null) return [name, one];
      const { model: _, ...rest } = one as Value;
      return [name, rest];
    }),
  );
}
