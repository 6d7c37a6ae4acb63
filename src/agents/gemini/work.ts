// The work in its transcript. Seen with 0.61. A message of the model is written again when its tools have ended, with their
// results; `$set` repeats messages. A failed command is a success whose output names the exit code.

import {
  itemsOf,
  listOf,
  mapOf,
  textOf,
  textsOf,
  type WorkDeed,
  type WorkFact,
  type WorkSpec,
} from '../../kernel/agent-work.ts';

export const work: WorkSpec = {
  skips: ['{"$set":'],
  facts: (record) => {
    const one = mapOf(record);
    if (one.type === 'user') return asked(one.content);
    if (one.type === 'gemini') return listOf(one.toolCalls).flatMap((call) => called(mapOf(call)));
    return one.type === 'info' || one.type === 'error' || 'projectHash' in one ? [] : undefined;
  },
};

function asked(content: unknown): readonly WorkFact[] {
  const text = textsOf(content);
  return text === '' || text.startsWith('<session_context>') ? [] : [{ kind: 'asked', text }];
}

function called(call: Readonly<Record<string, unknown>>): readonly WorkFact[] {
  const id = textOf(call.id);
  const deeds = deedsOf(textOf(call.name), mapOf(call.args));
  if (id === '' || deeds.length === 0 || (call.status !== 'success' && call.status !== 'error')) return [];
  const output = listOf(call.result).map((one) => textOf(mapOf(mapOf(mapOf(one).functionResponse).response).output));
  const text = output.join('\n');
  const code = /^Exit Code: (\d+)$/m.exec(text)?.[1];
  const isFailed = call.status === 'error' || (code !== undefined && code !== '0');
  const shown = textOf(call.resultDisplay);
  return [
    { kind: 'called', call: id, deeds },
    { kind: 'returned', call: id, isFailed, text: shown === '' ? text : shown },
  ];
}

function deedsOf(tool: string, args: Readonly<Record<string, unknown>>): readonly WorkDeed[] {
  if (tool === 'run_shell_command') return [{ kind: 'ran', command: textOf(args.command) }];
  if (tool === 'write_file' || tool === 'replace') return [{ kind: 'edited', path: textOf(args.file_path) }];
  return tool === 'write_todos' ? [{ kind: 'listed', items: itemsOf(args.todos) }] : [];
}
