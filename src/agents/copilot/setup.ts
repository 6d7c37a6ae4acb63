// What belongs to a set-up of GitHub Copilot CLI. Seen: 1.0.102. It runs hooks of hooks/, of its settings and of plug-ins, which it loads from
// installed-plugins/MARKETPLACE/NAME/, or from where a marketplace of this machine is.

import type { SetupFacts } from '../../kernel/agent-setup.ts';

/** Of settings.json: what leads to another service, runs a helper, asks before a tool, or changes how its screen looks. */
const LEFT_OUT = [
  ...['model', 'contextTier', 'autoTier', 'effortLevel', 'subagents', 'proxyUrl', 'proxyKerberosServicePrincipal'],
  ...['allowedUrls', 'deniedUrls', 'trustedFolders', 'defaultMode', 'defaultPermissionMode', 'sandbox', 'autoUpdate'],
  ...[
    'statusLine',
    'footer',
    'tabs',
    'theme',
    'banner',
    'bannerStyle',
    'screenReader',
    'mouse',
    'streamerMode',
    'stream',
  ],
  ...['companyAnnouncements', 'showTipsOnStartup', 'ide', 'memory', 'keepAlive', 'beep', 'notifications', 'bashEnv'],
  ...['continueOnAutoMode', 'renderMarkdown', 'scrollbar', 'terminalProgress', 'updateTerminalTitle', 'logLevel'],
];
/** What a set-up brings, as opposed to how the agent itself is set. */
const BROUGHT = ['hooks', 'enabledPlugins', 'extraKnownMarketplaces', 'disableAllHooks', 'mcpServers'];

export const setup: SetupFacts = {
  folder: { path: '.copilot', variable: 'COPILOT_HOME' },
  beside: ['.agents'],
  left: [
    // Who is logged in, and which folders are trusted.
    'config.json',
    ...['session-state', 'session-store.db', 'session-store.db-wal', 'session-store.db-shm', 'logs', 'pkg', 'cache'],
    ...[
      'command-history-state.json',
      'history-session-state',
      'mcp-oauth-config',
      'ide',
      'tmp',
      'memories',
      'installation_id',
    ],
    ...['settings.json.lock', 'installed-plugins.lock', 'marketplace-cache', 'repository-cache'],
  ],
  projectInstructions: [
    ...[
      '.github/copilot-instructions.md',
      '.github/instructions/',
      'AGENTS.md',
      'CLAUDE.md',
      '.claude/CLAUDE.md',
      'GEMINI.md',
    ],
  ],
  homeInstructions: ['.copilot/copilot-instructions.md', '.copilot/instructions/'],
  projectSettings: [
    ...['.github/hooks/', '.github/copilot/settings.json', '.github/copilot/settings.local.json'],
    ...['.claude/settings.json', '.claude/settings.local.json', '.mcp.json', '.github/mcp.json'],
  ],
  plugIn: {
    path: /^\.copilot\/installed-plugins\/(?<market>[^/]+)\/(?<name>[^/]+)\//,
    enabled: { file: '.copilot/settings.json', key: 'enabledPlugins', entry: '{name}@{market}' },
  },
  settings: (value, { path, isBaseline }) => {
    if (!/(^|\/)settings(\.local)?\.json$/.test(path)) return isBaseline ? undefined : value;
    const dropped = [...LEFT_OUT, ...(isBaseline ? BROUGHT : [])];
    return Object.fromEntries(Object.entries(value).filter(([key]) => !dropped.includes(key)));
  },
  serverKeys: ['mcpServers'],
  toolName: '{server}-{tool}',
  session: {
    compactCommand: '/compact',
    subagent: {
      call: (prompt) => ({
        tool: 'task',
        input: { agent_type: 'general-purpose', name: 'counter', description: 'count words', prompt, mode: 'sync' },
      }),
    },
  },
};
