// Seen with 0.166.0. Of the manifests in the folder it takes its own first, and of the marketplaces that in .agents/.

import { type ExtensionFacts, hooksByEvent } from '../../kernel/agent-extension.ts';

/** In the environment of its hooks; a shell runs them. */
const ROOT = '$PLUGIN_ROOT';

export const extension: ExtensionFacts = {
  folder: 'foreword',
  files: ({ name, version, description, entries, server }) => {
    const [command, ...args] = server('.');
    return {
      '../.agents/plugins/marketplace.json': {
        name,
        plugins: [{ name, source: { source: 'local', path: `./${name}` } }],
      },
      '.codex-plugin/plugin.json': {
        name,
        version,
        description,
        hooks: './hosts/codex.json',
        mcpServers: './hosts/codex-mcp.json',
        skills: './skills/',
      },
      'hosts/codex.json': { hooks: hooksByEvent(entries(ROOT)) },
      // Relative to the folder of the plug-in only with `cwd`.
      'hosts/codex-mcp.json': { mcpServers: { foreword: { command, args, cwd: '.' } } },
    };
  },
  install: [
    ['plugin', 'marketplace', 'add', '{all}'],
    ['plugin', 'add', 'foreword@foreword'],
  ],
  list: ['plugin', 'list'],
  kept: {
    manifests: ['plugins/cache/foreword/foreword/*/.codex-plugin/plugin.json'],
    enabled: { file: 'config.toml', at: ['plugins', 'foreword@foreword', 'enabled'] },
  },
  remove: [
    ['plugin', 'remove', 'foreword@foreword'],
    ['plugin', 'marketplace', 'remove', 'foreword'],
  ],
  afterwards:
    'Start codex in a terminal once and agree to the hooks when it shows "Hooks need review". Until then it skips them without a message.',
};
