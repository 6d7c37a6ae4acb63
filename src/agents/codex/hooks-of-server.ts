// What it says about hooks itself: `hooks/list` of `codex app-server`, seen with 0.166.0. With the feature off the list is empty, and
// it lists none of a project whose folder the person does not trust: the list of features shows which of both it is. A configuration
// that it cannot read is an error beside an empty list.

import type { AskedHook, TrustAsk } from '../../kernel/agent-install.ts';

export const hooksOfServer: TrustAsk = {
  args: ['app-server'],
  variable: 'CODEX_HOME',
  files: [{ name: 'hooks.json' }, { name: 'config.toml', hasPaths: true }],
  questions: (root) => [
    { id: 1, method: 'initialize', params: { clientInfo: { name: 'foreword', version: '1' } } },
    { method: 'initialized' },
    { id: 3, method: 'experimentalFeature/list', params: { limit: 1000 } },
    { id: 2, method: 'hooks/list', params: { cwds: [root] } },
  ],
  answerIn: (line) => {
    if (!line.includes('"id":2')) return undefined;
    try {
      const { result } = JSON.parse(line) as Reply;
      const data = result?.data ?? [];
      if (data.length === 0 || data.some(({ errors = [] }) => errors.length > 0)) return undefined;
      return data.flatMap(({ hooks = [] }) => hooks.map(hookOf));
    } catch {
      return undefined;
    }
  },
  isOnIn: (line) => {
    if (!line.includes('"id":3')) return undefined;
    try {
      const { result } = JSON.parse(line) as Features;
      return result?.data?.find(({ name }) => name === 'hooks')?.enabled ?? 'unknown';
    } catch {
      return undefined;
    }
  },
};

interface Features {
  readonly result?: { readonly data?: readonly { readonly name?: string; readonly enabled?: boolean }[] };
}

interface Reply {
  readonly result?: {
    readonly data?: readonly { readonly hooks?: readonly Listed[]; readonly errors?: readonly unknown[] }[];
  };
}

interface Listed {
  readonly command?: string;
  readonly sourcePath?: string;
  readonly enabled?: boolean;
  readonly trustStatus?: string;
}

function hookOf({ command = '', sourcePath: file, enabled, trustStatus }: Listed): AskedHook {
  const isTrusted = trustStatus === 'trusted' || trustStatus === 'managed';
  return {
    command,
    ...(file === undefined ? {} : { file }),
    isEnabled: enabled !== false,
    trust: isTrusted ? 'trusted' : trustStatus === 'modified' ? 'modified' : 'untrusted',
  };
}
