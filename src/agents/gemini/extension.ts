// Seen with 0.61.0. It reads hooks/hooks.json too, so that its folder is one of its own.

import { type ExtensionFacts, hooksByEvent } from '../../kernel/agent-extension.ts';

// biome-ignore lint/suspicious/noTemplateCurlyInString: the agent replaces it
const ROOT = '${extensionPath}';

export const extension: ExtensionFacts = {
  folder: 'gemini',
  files: ({ name, version, description, entries, server }) => {
    const [command, ...args] = server(ROOT);
    return {
      'gemini-extension.json': { name, version, description, mcpServers: { foreword: { command, args } } },
      'hooks/hooks.json': { hooks: hooksByEvent(entries(ROOT)) },
    };
  },
  install: [['extensions', 'install', '{own}', '--consent']],
  list: ['extensions', 'list'],
  kept: { manifests: ['extensions/foreword/gemini-extension.json'] },
  remove: [['extensions', 'uninstall', 'foreword']],
  validate: ['extensions', 'validate', '{own}'],
};
