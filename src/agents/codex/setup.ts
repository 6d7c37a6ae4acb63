// What belongs to a set-up of Codex. Seen: 0.166.0. It runs hooks of hooks.json and config.toml, and of enabled plug-ins, which it loads
// from plugins/cache/MARKETPLACE/NAME/VERSION/; it has no imports in instruction files.

import type { SetupFacts } from '../../kernel/agent-setup.ts';
import { whySkipped } from './trust.ts';

type Value = Readonly<Record<string, unknown>>;

/** Of config.toml: what leads to another service, starts a program beside the session, or is its own memory of dialogs. */
const LEFT_OUT = [
  ...['model', 'model_provider', 'model_providers', 'profile', 'profiles', 'chatgpt_base_url', 'openai_base_url'],
  ...['oss_provider', 'notify', 'otel', 'tui', 'notice', 'projects', 'approval_policy', 'permissions'],
];
/** What a set-up brings, as opposed to how the agent itself is set. */
const BROUGHT = [
  ...['hooks', 'plugins', 'marketplaces', 'mcp_servers', 'skills', 'agents', 'personality'],
  ...['developer_instructions', 'instructions', 'model_instructions_file', 'experimental_instructions_file'],
];

export const setup: SetupFacts = {
  folder: { path: '.codex', variable: 'CODEX_HOME' },
  beside: ['.agents'],
  left: [
    ...['auth.json', 'sessions', 'archived_sessions', 'history.jsonl', 'log', 'tmp', '.tmp', 'cache', 'packages'],
    ...['version.json', 'models_cache.json', 'shell_snapshots', 'installation_id', 'worktrees', 'sqlite', 'ambient'],
    // Its own, which it writes again at every start.
    'skills/.system',
  ],
  projectInstructions: ['AGENTS.override.md', 'AGENTS.md'],
  homeInstructions: ['.codex/AGENTS.override.md', '.codex/AGENTS.md'],
  projectSettings: ['.codex/hooks.json', '.codex/config.toml'],
  plugIn: {
    path: /^\.codex\/plugins\/cache\/(?<market>[^/]+)\/(?<name>[^/]+)\//,
    enabled: { file: '.codex/config.toml', key: 'plugins', entry: '{name}@{market}' },
  },
  settings: (value, { path, isBaseline }) => {
    if (!path.endsWith('.codex/config.toml')) return isBaseline ? undefined : value;
    const dropped = [...LEFT_OUT, ...(isBaseline ? BROUGHT : [])];
    const kept = Object.entries(value).filter(([key]) => !dropped.includes(key));
    return Object.fromEntries(kept.map(([key, one]) => [key, key === 'hooks' ? withoutState(one) : one]));
  },
  textKeys: ['developer_instructions', 'instructions'],
  serverKeys: ['mcp_servers', 'mcpServers'],
  toolName: 'mcp__{server}.{tool}',
  trust: { file: '.codex/config.toml', skipped: whySkipped },
  // Without plug-ins it would wait at its end for a service that is not there.
  args: ['-c', 'features.plugins=true'],
};

/** What was trusted: the recorder changes every hook, and the session vouches for those that are left. */
function withoutState(hooks: unknown): unknown {
  if (typeof hooks !== 'object' || hooks === null) return hooks;
  const { state: _state, ...events } = hooks as Value;
  return events;
}
