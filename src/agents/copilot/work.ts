// The work in its transcript. Seen with 1.0.102. It names the files that a tool edited. Its list is a database of its own,
// which is not read. That nobody is there (`-p`) stands in its system prompt alone.

import { calledAs, listOf, mapOf, textOf, type WorkFact, type WorkSpec } from '../../kernel/agent-work.ts';

export const work: WorkSpec = {
  skips: ['{"type":"hook.', '{"type":"session.usage_record"'],
  facts: (record) => {
    const { type, data, agentId } = mapOf(record);
    const about = mapOf(data);
    const call = textOf(about.toolCallId);
    // What a sub-agent is asked comes from its parent.
    if (type === 'user.message') return typeof agentId === 'string' ? [] : asked(about);
    // Nobody is there for a sub-agent either.
    if (type === 'system.message' && typeof agentId !== 'string' && ALONE.test(textOf(about.content)))
      return [{ kind: 'unattended' }];
    if (type === 'tool.execution_start' && about.toolName === 'bash') {
      const command = textOf(mapOf(about.arguments).command);
      return [{ kind: 'called', call, deeds: [{ kind: 'ran', command }] }];
    }
    if (type === 'tool.execution_start') return [calledAs({ call, tool: textOf(about.toolName), deeds: [] }, OTHERS)];
    if (type === 'tool.execution_complete') return completed(call, about);
    return typeof type === 'string' && KNOWN.has(type) ? [] : undefined;
  },
};

const ALONE = /\byou are running in non-interactive mode\b/i;

/** What they edit is named with their results. */
const OTHERS = new Set(
  (
    'apply_patch ask_user create edit exit_plan_mode fetch_copilot_cli_documentation glob grep list_agents list_bash read_agent read_bash ' +
    'report_intent session_store_sql show_file skill sql stop_bash store_memory str_replace_editor task update_todo view web_fetch ' +
    'web_search write_agent write_bash'
  ).split(' '),
);

const KNOWN = new Set(
  (
    'abort assistant.message assistant.turn_end assistant.turn_start session.compaction_complete session.compaction_start session.error ' +
    'session.info session.mode_changed session.model_change session.resume session.shutdown session.start session.usage_checkpoint ' +
    'skill.invoked subagent.completed subagent.configured subagent.failed subagent.started system.message system.notification'
  ).split(' '),
);

function asked({ content, source }: Readonly<Record<string, unknown>>): readonly WorkFact[] {
  const text = textOf(content);
  return text === '' || source === 'system' ? [] : [{ kind: 'asked', text }];
}

function completed(call: string, about: Readonly<Record<string, unknown>>): readonly WorkFact[] {
  const isDone = about.success === true;
  const edits = isDone ? listOf(about.fileEdits).map((one) => textOf(mapOf(one).path)) : [];
  const { exitCode } = mapOf(about.shellExecution);
  const isFailed = !isDone || (typeof exitCode === 'number' && exitCode !== 0);
  const text = textOf(mapOf(about.result).content) || textOf(mapOf(about.error).message);
  return [
    ...edits.map((path): WorkFact => ({ kind: 'edited', path })),
    { kind: 'returned', call, isFailed, text: text.replace(/\n<shellId: [^>]*>\s*$/, '') },
  ];
}
