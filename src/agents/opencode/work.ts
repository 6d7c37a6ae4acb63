// The work in its database. Seen with 1.18.33. A part of a message is changed in place until its tool ended; sub-agents have
// sessions of their own. What we add is `synthetic`. `opencode run` denies questions in the session that it makes.

import {
  calledAs,
  itemsOf,
  mapOf,
  textOf,
  type WorkDeed,
  type WorkFact,
  type WorkSpec,
} from '../../kernel/agent-work.ts';

// Older databases have no `permission`: the name then means the outer one, which is NULL.
export const work: WorkSpec = {
  sql: `
    SELECT CAST(part.id AS BLOB) AS cursor, part.time_updated AS at,
           CAST(json_object('role', json_extract(message.data, '$.role'), 'part', json(part.data),
                            'permission', (SELECT (SELECT permission FROM session WHERE id = ?1)
                                             FROM (SELECT NULL AS permission))) AS BLOB) AS record
      FROM part JOIN message ON message.id = part.message_id
     WHERE part.session_id = ?1 AND part.id > ?2
       AND octet_length(part.data) < 1000000 AND json_valid(part.data) AND json_valid(message.data)
     ORDER BY part.id LIMIT ?3`,
  facts: (record) => {
    const { role, part, permission } = mapOf(record);
    const { type, text, synthetic, ignored, tool, state, callID } = mapOf(part);
    if (type === 'tool') return ended(textOf(callID), textOf(tool), mapOf(state));
    if (typeof type !== 'string') return undefined;
    const isTyped = role === 'user' && type === 'text' && synthetic !== true && ignored !== true;
    // `opencode run` puts quotes around an argument that has spaces.
    if (!isTyped) return [];
    const alone: readonly WorkFact[] = deniesQuestions(permission) ? [{ kind: 'unattended' }] : [];
    return [...alone, { kind: 'asked', text: textOf(text).replace(/^"([\s\S]*)"$/, '$1') }];
  },
};

function deniesQuestions(permission: unknown): boolean {
  return /\{"permission":"question","pattern":"\*","action":"deny"\}/.test(textOf(permission));
}

function ended(call: string, tool: string, state: Readonly<Record<string, unknown>>): readonly WorkFact[] {
  if (state.status !== 'completed' && state.status !== 'error') return [];
  const made = calledAs({ call, tool, deeds: deedsOf(tool, mapOf(state.input)) }, OTHERS);
  if (made.kind !== 'called') return [made];
  const { exit, output } = mapOf(state.metadata);
  const isFailed = state.status === 'error' || (typeof exit === 'number' && exit !== 0);
  const text = textOf(output) || textOf(state.output) || textOf(state.error);
  const isRefused = state.status === 'error' && text.startsWith('The user rejected permission');
  return [made, { kind: 'returned', call, isFailed, isRefused, text }];
}

const OTHERS = new Set('codesearch glob grep list lsp question read skill task todoread webfetch websearch'.split(' '));

function deedsOf(tool: string, input: Readonly<Record<string, unknown>>): readonly WorkDeed[] {
  if (tool === 'bash') return [{ kind: 'ran', command: textOf(input.command) }];
  if (tool === 'write' || tool === 'edit') return [{ kind: 'edited', path: textOf(input.filePath) }];
  if (tool === 'todowrite') return [{ kind: 'listed', items: itemsOf(input.todos) }];
  return tool === 'apply_patch' || tool === 'patch' ? patched(textOf(input.patchText)) : [];
}

function patched(text: string): readonly WorkDeed[] {
  return [...text.matchAll(/^\*\*\* (?:Add|Update|Delete) File: (.+)$/gm)].map(([, path = '']) => ({
    kind: 'edited',
    path,
  }));
}
