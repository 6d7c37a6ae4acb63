// Seen with 1.0.102. Of the manifests in the folder it takes .plugin/plugin.json first.

import { type ExtensionFacts, hooksByEvent } from '../../kernel/agent-extension.ts';

/** In the environment of its hooks; a shell runs them. */
const ROOT = '$CLAUDE_PLUGIN_ROOT';

export const extension: ExtensionFacts = {
  folder: 'foreword',
  files: ({ name, version, description, entries, server }) => {
    // biome-ignore lint/suspicious/noTemplateCurlyInString: the agent replaces it
    const [command, ...args] = server('${CLAUDE_PLUGIN_ROOT}');
    return {
      '.plugin/plugin.json': {
        name,
        version,
        description,
        hooks: 'hosts/copilot.json',
        mcpServers: 'hosts/copilot-mcp.json',
        skills: 'skills/',
      },
      'hosts/copilot.json': { version: 1, hooks: hooksByEvent(entries(ROOT)) },
      'hosts/copilot-mcp.json': { mcpServers: { foreword: { command, args } } },
    };
  },
  install: [
    ['plugin', 'marketplace', 'add', '{all}'],
    ['plugin', 'install', 'foreword@foreword'],
  ],
  list: ['plugin', 'list'],
  kept: {
    manifests: ['installed-plugins/foreword/foreword/.plugin/plugin.json'],
    enabled: { file: 'settings.json', at: ['enabledPlugins', 'foreword@foreword'] },
    // From a folder of this machine it copies nothing.
    source: {
      file: 'settings.json',
      at: ['extraKnownMarketplaces', 'foreword', 'source', 'path'],
      manifest: 'foreword/.plugin/plugin.json',
    },
  },
  remove: [
    ['plugin', 'uninstall', 'foreword'],
    ['plugin', 'marketplace', 'remove', 'foreword'],
  ],
};
