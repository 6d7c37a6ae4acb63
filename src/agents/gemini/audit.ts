// Hooks and context in its transcript. Seen with 0.61. What hooks add stands between marks in the person's message or in the
// result of a tool; that a hook ran is not kept, and neither is the version. A compaction writes the conversation down again.

import type { AuditFact, AuditSpec } from '../../kernel/agent-audit.ts';
import { listOf, mapOf, textOf } from '../../kernel/agent-work.ts';

export const audit: AuditSpec = {
  shows: 'texts',
  skips: ['{"$set":{"lastUpdated"'],
  facts: (record) => {
    const one = mapOf(record);
    if (typeof one.projectHash === 'string') return [aboutOf(one)];
    if (one.type === 'user') return servedIn(one.content);
    if (one.type === 'gemini') return replied(one);
    const { messages } = mapOf(one.$set);
    return isSnapshot(messages) ? [{ kind: 'compacted' }] : [];
  },
};

type Fields = Readonly<Record<string, unknown>>;

function aboutOf({ sessionId, kind, projectHash }: Fields): AuditFact {
  return {
    kind: 'about',
    ...(typeof sessionId === 'string' ? { session: sessionId } : {}),
    folder: textOf(projectHash),
    ...(kind === 'subagent' ? { isSubagent: true } : {}),
  };
}

/** What the model has after a compaction, with the summary before what was kept. */
function isSnapshot(messages: unknown): boolean {
  return listOf(messages)
    .slice(0, 3)
    .some((one) => listOf(mapOf(one).content).some((part) => textOf(mapOf(part).text).startsWith('<state_snapshot>')));
}

function servedIn(content: unknown): readonly AuditFact[] {
  return listOf(content).flatMap((part) => {
    const { text, functionResponse } = mapOf(part);
    const [event, given] =
      functionResponse === undefined
        ? ['', textOf(text)]
        : ['AfterTool', textOf(mapOf(mapOf(functionResponse).response).output)];
    return texts(given).map((one): AuditFact => ({ kind: 'served', event, text: one }));
  });
}

const OPEN = '<hook_context>';
const CLOSE = '</hook_context>';

function texts(given: string): readonly string[] {
  if (!given.includes(OPEN)) return [];
  return given
    .split(OPEN)
    .slice(1)
    .map((rest) => rest.slice(0, rest.indexOf(CLOSE) === -1 ? rest.length : rest.indexOf(CLOSE)))
    .filter((text) => text.trim() !== '');
}

/** It is written again when its tools returned. */
function replied({ id, tokens, toolCalls }: Fields): readonly AuditFact[] {
  const { input, total } = mapOf(tokens);
  const isCounted = typeof input === 'number' && typeof total === 'number';
  return [
    {
      kind: 'replied',
      ...(typeof id === 'string' ? { response: id } : {}),
      ...(isCounted ? { input, output: Math.max(0, total - input) } : {}),
    },
    ...listOf(toolCalls).flatMap((call): AuditFact[] => {
      const own = mapOf(call).id;
      return typeof own === 'string' ? [{ kind: 'acted', call: own }] : [];
    }),
  ];
}
