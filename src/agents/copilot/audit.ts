// Hooks and context in its transcript. Seen with 1.0.102. Each event of its hooks is kept, with what all hooks at it printed
// together; not before a tool. At a prompt and after a tool the conversation shows what was made of it; at the start nothing does.

import type { AuditFact, AuditSpec } from '../../kernel/agent-audit.ts';
import { mapOf, textOf } from '../../kernel/agent-work.ts';

export const audit: AuditSpec = {
  shows: 'runs',
  skips: ['{"type":"hook.start"', '{"type":"system.message"', '{"type":"model.'],
  facts: (record) => {
    const { type, data } = mapOf(record);
    const about = mapOf(data);
    switch (type) {
      case 'session.start':
        return [aboutOf(about)];
      case 'session.resume':
        return [{ kind: 'began', by: 'resume' }];
      case 'session.compaction_complete':
        return about.success === false ? [] : [{ kind: 'compacted' }];
      case 'session.usage_record':
        return [usageOf(mapOf(about.usage))];
      case 'tool.execution_start':
        return typeof about.toolCallId === 'string' ? [{ kind: 'acted', call: about.toolCallId }] : [];
      case 'subagent.started':
        return [{ kind: 'delegated' }];
      case 'hook.end':
        return hookOf(about);
      case 'user.message':
        return servedIn('userPromptSubmitted', PROMPT.exec(textOf(about.transformedContent))?.[1]);
      case 'tool.execution_complete':
        return servedIn('postToolUse', AFTER_TOOL.exec(textOf(mapOf(about.result).content))?.[1]);
      default:
        return [];
    }
  },
};

type Fields = Readonly<Record<string, unknown>>;

const PROMPT = /<system_reminder>\n([\s\S]*?)\n<\/system_reminder>/;
const AFTER_TOOL = /Additional guidance from postToolUse hooks:\n([\s\S]*)$/;

function aboutOf({ sessionId, copilotVersion, context }: Fields): AuditFact {
  const { cwd } = mapOf(context);
  return {
    kind: 'about',
    ...(typeof sessionId === 'string' ? { session: sessionId } : {}),
    ...(typeof copilotVersion === 'string' ? { version: copilotVersion } : {}),
    ...(typeof cwd === 'string' ? { folder: cwd } : {}),
  };
}

function usageOf({ apiCallId, inputTokens, outputTokens }: Fields): AuditFact {
  return {
    kind: 'replied',
    ...(typeof apiCallId === 'string' ? { response: apiCallId } : {}),
    ...(typeof inputTokens === 'number' ? { input: inputTokens } : {}),
    ...(typeof outputTokens === 'number' ? { output: outputTokens } : {}),
  };
}

function hookOf({ hookType, success, output }: Fields): readonly AuditFact[] {
  const event = textOf(hookType);
  const text = textOf(mapOf(output).additionalContext);
  const isFailed = success !== true;
  const hook: AuditFact = {
    kind: 'hook',
    event,
    ...(isFailed ? { isFailed: true } : {}),
    ...(text === '' ? {} : { text }),
  };
  // It accepted the text, and the conversation does not show it.
  const isTaken = event === 'sessionStart' && !isFailed && text !== '';
  return [hook, ...(isTaken ? [{ kind: 'served', event, text } as const] : [])];
}

function servedIn(event: string, text: string | undefined): readonly AuditFact[] {
  return text === undefined || text.trim() === '' ? [] : [{ kind: 'served', event, text }];
}
