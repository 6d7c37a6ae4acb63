// The work in its transcript. Seen with 2.1.325. `api-request-blob` and `api-request-shape` repeat what other records hold. Its
// list is kept by TodoWrite, or entry by entry by TaskCreate and TaskUpdate; the result of TaskCreate names the id.

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
  skips: ['{"type":"api-request'],
  facts: (record) => {
    const one = mapOf(record);
    if (one.type === 'user') return [...prompts(one), ...results(one)];
    if (one.type === 'assistant') return calls(one);
    return typeof one.type === 'string' && KNOWN.has(one.type) ? [] : undefined;
  },
};

const KNOWN = new Set([
  'attachment',
  'system',
  'summary',
  'last-prompt',
  'queue-operation',
  'cost-state',
  'tools-used',
]);

function prompts(record: Readonly<Record<string, unknown>>): readonly WorkFact[] {
  const alone: readonly WorkFact[] = record.entrypoint === 'sdk-cli' ? [{ kind: 'unattended' }] : [];
  if (record.isSidechain === true || record.isMeta === true || record.isCompactSummary === true) return [];
  const { content } = mapOf(record.message);
  const texts =
    typeof content === 'string' ? content : textsOf(listOf(content).filter((part) => mapOf(part).type === 'text'));
  return texts === '' || isNotTyped(transcript, texts) ? [] : [...alone, { kind: 'asked', text: texts }];
}

function results(record: Readonly<Record<string, unknown>>): readonly WorkFact[] {
  return listOf(mapOf(record.message).content).flatMap((part): WorkFact[] => {
    const { type, tool_use_id: call, is_error: isError, content } = mapOf(part);
    if (type !== 'tool_result' || typeof call !== 'string') return [];
    const isRefused = record.toolDenialKind !== undefined || record.toolUseResult === 'User rejected tool use';
    return [{ kind: 'returned', call, isFailed: isError === true, isRefused, text: textsOf(content) }];
  });
}

function calls(record: Readonly<Record<string, unknown>>): readonly WorkFact[] {
  return listOf(mapOf(record.message).content).flatMap((part): WorkFact[] => {
    const { type, id, name, input } = mapOf(part);
    if (type !== 'tool_use' || typeof id !== 'string') return [];
    return [calledAs({ call: id, tool: textOf(name), deeds: deedsOf(textOf(name), mapOf(input)) }, OTHERS)];
  });
}

const OTHERS = new Set(
  (
    'Agent AskUserQuestion BashOutput EnterPlanMode ExitPlanMode Glob Grep KillShell LS LSP ListAgents Monitor NotebookRead Read ' +
    'ReportFindings ScheduleWakeup SendMessage Skill SlashCommand Task TaskGet TaskList TaskOutput TaskStop ToolSearch WebFetch ' +
    'WebSearch Workflow'
  ).split(' '),
);

function deedsOf(tool: string, input: Readonly<Record<string, unknown>>): readonly WorkDeed[] {
  switch (tool) {
    case 'Bash':
      return [{ kind: 'ran', command: textOf(input.command) }];
    case 'Edit':
    case 'MultiEdit':
    case 'Write':
      return [{ kind: 'edited', path: textOf(input.file_path) }];
    case 'NotebookEdit':
      return [{ kind: 'edited', path: textOf(input.notebook_path) }];
    case 'TodoWrite':
      return [{ kind: 'listed', items: itemsOf(input.todos) }];
    case 'TaskCreate':
      return [{ kind: 'item', item: { text: textOf(input.subject), isDone: false } }];
    case 'TaskUpdate':
      return [{ kind: 'item', item: changedItem(input) }];
    default:
      return [];
  }
}

function changedItem({ taskId, subject, status }: Readonly<Record<string, unknown>>) {
  return {
    id: textOf(taskId),
    ...(typeof subject === 'string' ? { text: subject } : {}),
    ...(typeof status === 'string' ? { isDone: status === 'completed' || status === 'deleted' } : {}),
  };
}
