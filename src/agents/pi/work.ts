// The work in its transcript. Seen with 0.87.1. It has no list of its own. What extensions add is a message of another type.

import {
  calledAs,
  listOf,
  mapOf,
  textOf,
  textsOf,
  type WorkDeed,
  type WorkFact,
  type WorkSpec,
} from '../../kernel/agent-work.ts';

export const work: WorkSpec = {
  facts: (record) => {
    const { type, message } = mapOf(record);
    if (type !== 'message') return typeof type === 'string' && KNOWN.has(type) ? [] : undefined;
    const { role, content, toolCallId, isError } = mapOf(message);
    if (role === 'user') return textsOf(content) === '' ? [] : [{ kind: 'asked', text: textsOf(content) }];
    if (role === 'assistant') return listOf(content).flatMap((part) => called(mapOf(part)));
    if (role !== 'toolResult' || typeof toolCallId !== 'string') return [];
    // Further parts are of extensions.
    const text = textOf(mapOf(listOf(content)[0]).text);
    return [{ kind: 'returned', call: toolCallId, isFailed: isError === true, text }];
  },
};

const KNOWN = new Set([
  'session',
  'model_change',
  'thinking_level_change',
  'custom',
  'custom_message',
  'compaction',
  'branch_summary',
  'label',
  'session_info',
]);

function called({ type, id, name, arguments: args }: Readonly<Record<string, unknown>>): readonly WorkFact[] {
  if (type !== 'toolCall' || typeof id !== 'string') return [];
  return [calledAs({ call: id, tool: textOf(name), deeds: deedsOf(textOf(name), mapOf(args)) }, OTHERS)];
}

const OTHERS = new Set(['read', 'grep', 'find', 'ls']);

function deedsOf(tool: string, args: Readonly<Record<string, unknown>>): readonly WorkDeed[] {
  if (tool === 'bash') return [{ kind: 'ran', command: textOf(args.command) }];
  return tool === 'write' || tool === 'edit' ? [{ kind: 'edited', path: textOf(args.path) }] : [];
}
