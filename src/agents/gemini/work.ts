// The work in its transcript. Seen with 0.61. A message of the model is written again when its tools have ended, with their
// results; `$set` repeats messages. A failed command is a success whose output names the exit code.

import {
  calledAs,
  itemsOf,
  listOf,
  mapOf,
  textOf,
  textsOf,
  type WorkDeed,
  type WorkFact,
  type WorkSpec,
} from '../../kernel/agent-work.ts';
import { isNotTyped } from '../../kernel/transcript.ts';
import { transcript } from './transcript.ts';

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
  return text === '' || isNotTyped(transcript, text) ? [] : [{ kind: 'asked', text }];
}

function called(call: Readonly<Record<string, unknown>>): readonly WorkFact[] {
  const id = textOf(call.id);
  if (id === '' || (call.status !== 'success' && call.status !== 'error')) return [];
  const made = calledAs(
    { call: id, tool: textOf(call.name), deeds: deedsOf(textOf(call.name), mapOf(call.args)) },
    OTHERS,
  );
  if (made.kind !== 'called') return [made];
  const output = listOf(call.result).map((one) => textOf(mapOf(mapOf(mapOf(one).functionResponse).response).output));
  const text = output.join('\n');
  const code = /^Exit Code: (\d+)$/m.exec(text)?.[1];
  const isFailed = call.status === 'error' || (code !== undefined && code !== '0');
  const shown = textOf(call.resultDisplay);
  return [made, { kind: 'returned', call: id, isFailed, text: shown === '' ? text : shown }];
}

const OTHERS = new Set(
  (
    'activate_skill ask_user codebase_investigator enter_plan_mode exit_plan_mode glob google_web_search grep_search invoke_agent ' +
    'list_background_processes list_directory read_background_output read_file read_many_files save_memory search_file_content ' +
    'update_topic web_fetch'
  ).split(' '),
);

function deedsOf(tool: string, args: Readonly<Record<string, unknown>>): readonly WorkDeed[] {
  if (tool === 'run_shell_command') return [{ kind: 'ran', command: textOf(args.command) }];
  if (tool === 'write_file' || tool === 'replace') return [{ kind: 'edited', path: textOf(args.file_path) }];
  return tool === 'write_todos' ? [{ kind: 'listed', items: itemsOf(args.todos) }] : [];
}
