// Context in its transcript. Seen with 0.87.1. It has no hooks; what an extension adds is a message of its own, by the extension's
// name. Its version is not kept.

import type { AuditFact, AuditSpec } from '../../kernel/agent-audit.ts';
import { listOf, mapOf, textOf, textsOf } from '../../kernel/agent-work.ts';

export const audit: AuditSpec = {
  shows: 'texts',
  facts: (record) => {
    const one = mapOf(record);
    const { role, content, usage } = mapOf(one.message);
    if (one.type === 'session') return [aboutOf(one)];
    if (one.type === 'compaction') return [{ kind: 'compacted' }];
    if (one.type === 'custom_message') return added(textOf(one.customType), textsOf(one.content));
    if (one.type !== 'message' || role !== 'assistant') return [];
    return [repliedAs(textOf(one.id), mapOf(usage)), ...calls(content)];
  },
};

type Fields = Readonly<Record<string, unknown>>;

function aboutOf({ id, cwd }: Fields): AuditFact {
  return {
    kind: 'about',
    ...(typeof id === 'string' ? { session: id } : {}),
    ...(typeof cwd === 'string' ? { folder: cwd } : {}),
  };
}

function added(extension: string, text: string): readonly AuditFact[] {
  return text.trim() === '' ? [] : [{ kind: 'served', event: extension, text }];
}

function repliedAs(id: string, { input, cacheRead, cacheWrite, output }: Fields): AuditFact {
  const all = [input, cacheRead, cacheWrite].reduce<number>((sum, one) => sum + (typeof one === 'number' ? one : 0), 0);
  return {
    kind: 'replied',
    ...(id === '' ? {} : { response: id }),
    ...(typeof input === 'number' ? { input: all } : {}),
    ...(typeof output === 'number' ? { output } : {}),
  };
}

function calls(content: unknown): readonly AuditFact[] {
  return listOf(content).flatMap((part): AuditFact[] => {
    const { type, id } = mapOf(part);
    return type === 'toolCall' && typeof id === 'string' ? [{ kind: 'acted', call: id }] : [];
  });
}
