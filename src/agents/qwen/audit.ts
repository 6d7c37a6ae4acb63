// Hooks and context in its transcript. Seen with 0.24.4. What a hook printed at a prompt is kept, and what stands in the prompt
// because of it. What hooks print at the start goes into the system prompt, after a tool into its result without a mark: neither
// is kept as such.

import type { AuditFact, AuditSpec } from '../../kernel/agent-audit.ts';
import { listOf, mapOf, textOf } from '../../kernel/agent-work.ts';

export const audit: AuditSpec = {
  shows: 'texts',
  facts: (record) => {
    const one = mapOf(record);
    const about = aboutOf(one);
    const { parts } = mapOf(one.message);
    if (one.type === 'user') return [about, ...hooksIn(parts, mapOf(one.systemPayload))];
    if (one.type === 'assistant') return [about, ...replied(one, parts)];
    if (one.type !== 'system') return [about];
    if (one.subtype === 'chat_compression') return [about, { kind: 'compacted' }];
    const { surface } = mapOf(mapOf(one.systemPayload).snapshot);
    return surface === 'vscode' || surface === 'ide' ? [{ ...about, entry: 'editor' }] : [about];
  },
};

type Fields = Readonly<Record<string, unknown>>;

function aboutOf({ sessionId, version, cwd, isSidechain, uuid }: Fields): Extract<AuditFact, { kind: 'about' }> {
  return {
    kind: 'about',
    ...(typeof sessionId === 'string' ? { session: sessionId } : {}),
    ...(typeof version === 'string' ? { version } : {}),
    ...(typeof cwd === 'string' ? { folder: cwd } : {}),
    ...(isSidechain === true ? { isSubagent: true } : {}),
    ...(typeof uuid === 'string' ? { record: uuid } : {}),
  };
}

const EVENT = 'UserPromptSubmit';
const SERVED = /^<qwen:user-prompt-submit-context>\n?([\s\S]*?)\n?<\/qwen:user-prompt-submit-context>$/;

function hooksIn(parts: unknown, { hookContext }: Fields): readonly AuditFact[] {
  const printed = textOf(hookContext);
  const served = listOf(parts).flatMap((part): AuditFact[] => {
    const text = SERVED.exec(textOf(mapOf(part).text))?.[1] ?? '';
    return text === '' ? [] : [{ kind: 'served', event: EVENT, text }];
  });
  return [...(printed === '' ? [] : [{ kind: 'hook', event: EVENT, text: printed } as const]), ...served];
}

function replied({ uuid, usageMetadata }: Fields, parts: unknown): readonly AuditFact[] {
  const { promptTokenCount: input, candidatesTokenCount: output } = mapOf(usageMetadata);
  return [
    {
      kind: 'replied',
      ...(typeof uuid === 'string' ? { response: uuid } : {}),
      ...(typeof input === 'number' ? { input } : {}),
      ...(typeof output === 'number' ? { output } : {}),
    },
    ...listOf(parts).flatMap((part): AuditFact[] => {
      const { id, name } = mapOf(mapOf(part).functionCall);
      if (typeof id !== 'string') return [];
      return [{ kind: 'acted', call: id }, ...(name === 'agent' ? [{ kind: 'delegated' } as const] : [])];
    }),
  ];
}
