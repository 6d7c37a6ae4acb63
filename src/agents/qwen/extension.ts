// Seen with 0.24.4. Its own manifest comes before those of other agents in the folder.

import { type ExtensionFacts, hooksByEvent } from '../../kernel/agent-extension.ts';

// biome-ignore lint/suspicious/noTemplateCurlyInString: the agent replaces it
const ROOT = '${extensionPath}';

export const extension: ExtensionFacts = {
  folder: 'foreword',
  files: ({ name, version, description, entries, server }) => {
    const [command, ...args] = server(ROOT);
    return {
      'qwen-extension.json': {
        name,
        version,
        description,
        mcpServers: { foreword: { command, args } },
        hooks: hooksByEvent(entries(ROOT)),
      },
    };
  },
  install: [['extensions', 'install', '{own}', '--consent']],
  list: ['extensions', 'list'],
  kept: { manifests: ['extensions/foreword/qwen-extension.json'] },
  remove: [['extensions', 'uninstall', 'foreword']],
};
