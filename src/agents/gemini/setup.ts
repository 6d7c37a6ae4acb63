// What belongs to a set-up of Gemini CLI. Seen: 0.61.0. It runs hooks of its settings and of its extensions, which it loads from
// extensions/NAME/, or from where a linked one is.

import type { SetupFacts } from '../../kernel/agent-setup.ts';

type Value = Readonly<Record<string, unknown>>;

/** Of the settings: what leads to another service, runs a helper, asks before a tool, or changes how its screen looks. `null`: all of it. */
const LEFT_OUT: Readonly<Record<string, readonly string[] | null>> = {
  ui: null,
  telemetry: null,
  billing: null,
  general: ['vimMode', 'defaultApprovalMode', 'preferredEditor', 'checkpointing', 'devtools'],
  security: ['auth', 'disableYoloMode', 'toolSandboxing', 'enableConseca', 'folderTrust'],
  tools: ['sandbox', 'discoveryCommand', 'callCommand', 'allowed', 'confirmationRequired'],
  mcp: ['serverCommand'],
  experimental: ['gemmaModelRouter', 'autoMemory', 'worktrees'],
  advanced: ['bugCommand'],
  policyPaths: null,
  adminPolicyPaths: null,
  // Names of its older, flat settings.
  ...Object.fromEntries(
    [
      ...['selectedAuthType', 'enforcedAuthType', 'useExternalAuth', 'sandbox', 'vimMode', 'theme', 'checkpointing'],
      ...['toolDiscoveryCommand', 'toolCallCommand', 'mcpServerCommand', 'allowedTools'],
    ].map((key) => [key, null]),
  ),
};
/** What a set-up brings, as opposed to how the agent itself is set. */
const BROUGHT = ['hooks', 'hooksConfig', 'mcpServers', 'mcp', 'agents'];

export const setup: SetupFacts = {
  folder: { path: '.gemini' },
  beside: ['.agents'],
  left: [
    ...['oauth_creds.json', 'google_accounts.json', 'mcp-oauth-tokens.json', 'a2a-oauth-tokens.json', '.env'],
    ...['gemini-credentials.json', 'installation_id', 'user_id', 'tmp', 'history', 'projects.json', 'state.json'],
    ...['policies', 'policy_integrity.json', 'trustedFolders.json', 'keybindings.json', 'worktrees', 'bin'],
    ...['antigravity', 'antigravity-browser-profile', 'cli-browser-profile'],
  ],
  projectInstructions: ['GEMINI.md', 'AGENTS.md', 'CONTEXT.md', '.gemini/system.md'],
  homeInstructions: ['.gemini/GEMINI.md', '.gemini/AGENTS.md', '.gemini/CONTEXT.md'],
  imports: /(?:^|\s)@([^\s`]+)/g,
  projectSettings: ['.gemini/settings.json'],
  plugIn: { path: /^\.gemini\/extensions\/(?<name>[^/]+)\// },
  settings: (value, { path, isBaseline }) => {
    if (!/(^|\/)\.gemini\/settings\.json$/.test(path)) return isBaseline ? undefined : value;
    return Object.fromEntries(
      Object.entries(value).flatMap(([key, one]) => {
        const dropped = LEFT_OUT[key];
        if (dropped === null || (isBaseline && BROUGHT.includes(key))) return [];
        return [[key, dropped === undefined ? one : without(one, dropped)]];
      }),
    );
  },
  serverKeys: ['mcpServers'],
  toolName: 'mcp_{server}_{tool}',
  frames: ['# Contextual Instructions ('],
  session: {
    compactCommand: '/compress',
    subagent: {
      call: (prompt) => ({ tool: 'invoke_agent', input: { agent_name: 'generalist', prompt } }),
      done: (text) => ({ tool: 'complete_task', input: { result: { response: text } } }),
    },
  },
};

function without(value: unknown, keys: readonly string[]): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value as Value).filter(([key]) => !keys.includes(key)));
}
