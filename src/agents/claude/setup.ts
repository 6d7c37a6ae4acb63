// What belongs to a set-up of Claude Code. Seen: 2.1.325. It runs hooks of its settings and of enabled plug-ins, which it loads from
// plugins/cache/MARKETPLACE/NAME/VERSION/.

import type { SetupFacts, SetupFile } from '../../kernel/agent-setup.ts';

type Value = Readonly<Record<string, unknown>>;

/** Of the settings: what leads to another service, starts a helper or a status line, or asks before a tool. */
const LEFT_OUT = [
  'apiKeyHelper',
  'awsAuthRefresh',
  'awsCredentialExport',
  'gcpAuthRefresh',
  'otelHeadersHelper',
  'proxyAuthHelper',
  'forceLoginMethod',
  'forceLoginOrgUUID',
  'statusLine',
  'subagentStatusLine',
  'fileSuggestion',
  'permissions',
  'sandbox',
];
const ELSEWHERE =
  /^(ANTHROPIC_|CLAUDE_CODE_(USE|API|OAUTH|SKIP)_|AWS_|GOOGLE_|VERTEX_|CLOUD_ML_|OTEL_|HTTPS?_PROXY|NO_PROXY)/i;
/** What a set-up brings, as opposed to how the agent itself is set. */
const BROUGHT = [
  'hooks',
  'enabledPlugins',
  'extraKnownMarketplaces',
  'outputStyle',
  'mcpServers',
  'enabledMcpjsonServers',
];
const OF_A_PROJECT = ['mcpServers', 'enabledMcpjsonServers', 'disabledMcpjsonServers', 'disabledMcpServers'];

export const setup: SetupFacts = {
  folder: { path: '.claude', variable: 'CLAUDE_CONFIG_DIR' },
  beside: ['.claude.json'],
  left: [
    ...[
      '.credentials.json',
      'projects',
      'history.jsonl',
      'shell-snapshots',
      'session-env',
      'sessions',
      'todos',
      'tasks',
      'teams',
    ],
    ...[
      'file-history',
      'debug',
      'statsig',
      'cache',
      'paste-cache',
      'image-cache',
      'stats-cache.json',
      'telemetry',
      'usage-data',
    ],
    ...[
      'ide',
      'local',
      'backups',
      'plans',
      'logs',
      'downloads',
      'chrome',
      'daemon',
      'daemon.json',
      'policy-limits.json',
    ],
    'plugins/repos',
  ],
  projectInstructions: [
    'CLAUDE.md',
    'CLAUDE.local.md',
    '.claude/CLAUDE.md',
    '.claude/rules/',
    'AGENTS.md',
    '.claude/AGENTS.md',
  ],
  homeInstructions: ['.claude/CLAUDE.md', '.claude/rules/'],
  imports: /(?:^|\s)@([^\s`]+)/g,
  projectSettings: ['.claude/settings.json', '.claude/settings.local.json', '.mcp.json'],
  plugIn: {
    path: /^\.claude\/plugins\/cache\/(?<market>[^/]+)\/(?<name>[^/]+)\//,
    enabled: { file: '.claude/settings.json', key: 'enabledPlugins', entry: '{name}@{market}' },
  },
  settings: (value, file) => {
    if (file.path === '.claude.json') return file.isBaseline ? {} : ofState(value, file);
    if (!/(^|\/)settings(\.local)?\.json$/.test(file.path)) return file.isBaseline ? undefined : value;
    const dropped = [...LEFT_OUT, ...(file.isBaseline ? BROUGHT : [])];
    const kept = Object.entries(value).filter(([key]) => !dropped.includes(key));
    return Object.fromEntries(kept.map(([key, one]) => [key, key === 'env' ? here(one) : one]));
  },
  serverKeys: ['mcpServers'],
  toolName: 'mcp__{server}__{tool}',
  plugInServer: 'plugin_{plugIn}_{server}',
  // In its own mode a check on a server decides about a sub-agent, and without one it asks.
  args: [
    ...['--permission-mode', 'acceptEdits', '--allowedTools=Bash,Agent,Task'],
    // It would ask about each new server of a project; the person agreed to them before the session.
    ...['--settings', '{"enableAllProjectMcpServers":true}'],
  ],
};

/** Of its own state only the servers: for all projects, and for this one. */
function ofState(value: Value, { project }: SetupFile): Value {
  const projects = isValue(value.projects) ? value.projects : {};
  const own = isValue(projects[project]) ? projects[project] : {};
  const kept = Object.entries(own).filter(([key]) => OF_A_PROJECT.includes(key));
  return { mcpServers: value.mcpServers ?? {}, projects: { [project]: Object.fromEntries(kept) } };
}

function here(env: unknown): unknown {
  if (!isValue(env)) return {};
  return Object.fromEntries(Object.entries(env).filter(([name]) => !ELSEWHERE.test(name)));
}

function isValue(value: unknown): value is Value {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
