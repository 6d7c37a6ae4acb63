// Seen with 2.1.325. It copies the folder of the plug-in, so that everything is in it. It reads hooks/hooks.json and .mcp.json by itself.

import { type ExtensionFacts, hooksByEvent } from '../../kernel/agent-extension.ts';
import { evalFiles } from './evals.ts';

// biome-ignore lint/suspicious/noTemplateCurlyInString: the agent replaces it
const ROOT = '${CLAUDE_PLUGIN_ROOT}';

export const extension: ExtensionFacts = {
  folder: 'foreword',
  files: ({ name, version, description, entries, server }) => {
    const [command, ...args] = server(ROOT);
    return {
      '../.claude-plugin/marketplace.json': {
        $schema: 'https://anthropic.com/claude-code/marketplace.schema.json',
        name,
        description,
        owner: { name },
        plugins: [{ name, source: `./${name}`, description, category: 'productivity' }],
      },
      '.claude-plugin/plugin.json': {
        name,
        version,
        description,
        author: { name },
        license: 'MIT',
        keywords: ['context'],
      },
      'hooks/hooks.json': { hooks: hooksByEvent(entries(ROOT)) },
      '.mcp.json': { mcpServers: { foreword: { command, args } } },
      ...evalFiles(),
    };
  },
  install: [
    ['plugin', 'marketplace', 'add', '{all}'],
    ['plugin', 'install', 'foreword@foreword'],
  ],
  list: ['plugin', 'list'],
  kept: {
    manifests: ['plugins/cache/foreword/foreword/*/.claude-plugin/plugin.json'],
    enabled: { file: 'settings.json', at: ['enabledPlugins', 'foreword@foreword'] },
  },
  remove: [
    ['plugin', 'uninstall', 'foreword@foreword'],
    ['plugin', 'marketplace', 'remove', 'foreword'],
  ],
  validate: ['plugin', 'validate', '--strict', '{own}'],
};
