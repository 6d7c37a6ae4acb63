// What belongs to a set-up of Qwen Code. Seen: 0.24.4. It runs hooks of its settings and of its extensions, which it loads from
// extensions/NAME/, or from where a linked one is.

import type { SetupFacts } from '../../kernel/agent-setup.ts';

type Value = Readonly<Record<string, unknown>>;

/** Of the settings: what leads to another service, starts a helper, asks before a tool, or changes how its screen looks. `null`: all of it. */
const LEFT_OUT: Readonly<Record<string, readonly string[] | null>> = {
  general: ['vimMode', 'preferredEditor', 'showSessionRecap', 'voice', 'terminalBell', 'preventSystemSleep'],
  model: [
    'name',
    'baseUrl',
    'generationConfig',
    'sessionTokenLimit',
    'maxSessionTurns',
    'maxToolCalls',
    'maxWallTimeSeconds',
  ],
  security: ['auth', 'folderTrust'],
  tools: ['sandbox', 'approvalMode', 'discoveryCommand', 'callCommand', 'allowed', 'autoAccept', 'executionSandbox'],
  memory: ['enableManagedAutoMemory', 'enableManagedAutoDream', 'enableAutoSkill', 'enableTeamMemorySync'],
  agents: ['crossSessionMessaging', 'crossSessionInbound', 'builtin', 'modelGrades', 'allowedGrades'],
  mcp: ['serverCommand'],
  experimental: ['emitToolUseSummaries', 'cron'],
  advanced: ['bugCommand', 'tavilyApiKey'],
  ...Object.fromEntries(
    [
      ...[
        'ui',
        'ide',
        'telemetry',
        'outboundCorrelation',
        'modelProviders',
        'providers',
        'env',
        'permissions',
        'webSearch',
      ],
      ...['fastModel', 'advisorModel', 'visionModel', 'compactionModel', 'imageModel', 'voiceModel', 'modelFallbacks'],
      ...['serve', 'channels', 'slashCommands', 'proxy'],
      // Names of its older, flat settings.
      ...['selectedAuthType', 'sandbox', 'vimMode', 'theme', 'toolDiscoveryCommand', 'toolCallCommand', 'allowedTools'],
    ].map((key) => [key, null]),
  ),
};
/** What a set-up brings, as opposed to how the agent itself is set. */
const BROUGHT = ['hooks', 'mcpServers', 'mcp', 'skills', 'extensions'];

export const setup: SetupFacts = {
  folder: { path: '.qwen', variable: 'QWEN_HOME' },
  beside: ['.agents'],
  left: [
    ...['oauth_creds.json', 'google_accounts.json', 'mcp-oauth-tokens.json', '.env', 'installation_id'],
    ...['tmp', 'projects', 'history', 'debug', 'file-history', 'todos', 'trustedFolders.json', 'usage', 'bin', 'ide'],
    ...['source.json', 'sessions', 'worktrees', 'locales', 'updates', 'plans', 'arena', 'channels', 'insights'],
  ],
  projectInstructions: ['QWEN.md', 'AGENTS.md', '.qwen/QWEN.local.md', '.qwen/rules/', '.qwen/system.md'],
  homeInstructions: ['.qwen/QWEN.md', '.qwen/AGENTS.md', '.qwen/rules/'],
  imports: /(?:^|\s)@([^\s`]+)/g,
  projectSettings: ['.qwen/settings.json', '.qwen/settings.local.json', '.mcp.json'],
  plugIn: { path: /^\.qwen\/extensions\/(?<name>[^/]+)\// },
  settings: (value, { path, isBaseline }) => {
    if (!/(^|\/)\.qwen\/settings(\.local)?\.json$/.test(path)) return isBaseline ? undefined : value;
    return Object.fromEntries(
      Object.entries(value).flatMap(([key, one]) => {
        const dropped = LEFT_OUT[key];
        if (dropped === null || (isBaseline && BROUGHT.includes(key))) return [];
        return [[key, dropped === undefined ? one : without(one, dropped)]];
      }),
    );
  },
  serverKeys: ['mcpServers'],
  toolName: 'mcp__{server}__{tool}',
  session: {
    compactCommand: '/compress',
    subagent: {
      call: (prompt) => ({
        tool: 'agent',
        input: { description: 'count words', prompt, subagent_type: 'general-purpose', run_in_background: false },
      }),
    },
  },
};

function without(value: unknown, keys: readonly string[]): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value as Value).filter(([key]) => !keys.includes(key)));
}
