// The work in its transcript. Seen with 0.24.4. The tool for its list is off unless a person switched it on.

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

export const work: WorkSpec = {
  facts: (record) => {
    const one = mapOf(record);
    const { parts } = mapOf(one.message);
    if (one.isSidechain === true && one.type === 'user') return [];
    if (one.type === 'user') {
      const text = textsOf(listOf(parts).filter((part) => !textOf(mapOf(part).text).startsWith(HOOKS)));
      return one.provenance === 'real_user' && text !== '' ? [{ kind: 'asked', text }] : [];
    }
    if (one.type === 'assistant') return listOf(parts).flatMap((part) => called(mapOf(mapOf(part).functionCall)));
    if (one.type === 'tool_result') return returned(mapOf(one.toolCallResult));
    return one.type === 'system' ? [] : undefined;
  },
};

/** What hooks printed at the prompt is a part of its own behind the person's. */
const HOOKS = '<qwen:user-prompt-submit-context>';

function called({ id, name, args }: Readonly<Record<string, unknown>>): readonly WorkFact[] {
  if (typeof id !== 'string') return [];
  return [calledAs({ call: id, tool: textOf(name), deeds: deedsOf(textOf(name), mapOf(args)) }, OTHERS)];
}

const OTHERS = new Set(
  (
    'agent artifact ask_user_question display_image enter_plan_mode exit_plan_mode get_goal glob grep_search list_agents list_directory ' +
    'propose_goal read_file read_many_files save_memory skill task tool_call tool_search update_goal web_fetch web_search'
  ).split(' '),
);

function returned({ callId, status, resultDisplay }: Readonly<Record<string, unknown>>): readonly WorkFact[] {
  if (typeof callId !== 'string') return [];
  const { exitCode, output } = mapOf(resultDisplay);
  const isFailed = status !== 'success' || (typeof exitCode === 'number' && exitCode !== 0);
  const isRefused = status === 'cancelled';
  return [{ kind: 'returned', call: callId, isFailed, isRefused, text: textOf(output) || textOf(resultDisplay) }];
}

function deedsOf(tool: string, args: Readonly<Record<string, unknown>>): readonly WorkDeed[] {
  if (tool === 'run_shell_command') return [{ kind: 'ran', command: textOf(args.command) }];
  if (tool === 'write_file' || tool === 'edit') return [{ kind: 'edited', path: textOf(args.file_path) }];
  if (tool === 'notebook_edit') return [{ kind: 'edited', path: textOf(args.notebook_path) }];
  return tool === 'todo_write' ? [{ kind: 'listed', items: itemsOf(args.todos) }] : [];
}
