// Hooks and context in its transcript. Seen with 2.1.325. Each run of a hook is an attachment with what it printed; what was made
// of it is another one (`hook_additional_context`), or `content` of the same one where it printed plain text. A text over 10,000
// characters becomes a file, and the model gets the first 2,000. Conversations of sub-agents have files of their own.

import {
  type AuditFact,
  type AuditSpec,
  contextIn,
  type EntryPoint,
  numberIn,
  textIn,
} from '../../kernel/agent-audit.ts';
import { listOf, mapOf, textOf } from '../../kernel/agent-work.ts';

export const audit: AuditSpec = {
  shows: 'runs',
  skips: ['{"type":"api-request'],
  files: ['projects/{slug}/{session}/subagents/*.jsonl', 'projects/{slug}/{session}/subagents/*/*.jsonl'],
  facts: (record) => {
    const one = mapOf(record);
    const about = aboutOf(one);
    switch (one.type) {
      case 'attachment':
        return [about, ...attached(one, mapOf(one.attachment))];
      case 'assistant':
        return [about, ...replied(mapOf(one.message))];
      case 'system':
        return one.subtype === 'compact_boundary' ? [about, { kind: 'compacted' }] : [about];
      case 'user':
        return [about];
      default:
        return [];
    }
  },
};

const ENTRIES: Readonly<Record<string, EntryPoint>> = {
  cli: 'terminal',
  'sdk-cli': 'program',
  'sdk-ts': 'program',
  'sdk-py': 'program',
  mcp: 'program',
  'claude-code-github-action': 'program',
  'claude-vscode': 'editor',
  'claude-jetbrains': 'editor',
  'claude-desktop': 'desktop',
};

type Fields = Readonly<Record<string, unknown>>;

/** For every record, so it is made at once. */
function aboutOf({ sessionId, version, entrypoint, cwd, isSidechain, uuid }: Fields): AuditFact {
  return {
    kind: 'about',
    session: textIn(sessionId),
    version: textIn(version),
    entry: typeof entrypoint === 'string' ? (ENTRIES[entrypoint] ?? 'unknown') : undefined,
    folder: textIn(cwd),
    isSubagent: isSidechain === true ? true : undefined,
    record: textIn(uuid),
  };
}

/** Where plain words on standard output are for the model. */
const TAKES_PLAIN = ['SessionStart', 'UserPromptSubmit'];
const CUT = '<persisted-output>';

function attached(record: Fields, attachment: Fields): readonly AuditFact[] {
  const { type, hookEvent, hookName, stdout, content, exitCode, command, durationMs } = attachment;
  if (typeof hookEvent !== 'string') return [];
  if (type === 'hook_additional_context')
    return (Array.isArray(content) ? content : [content]).flatMap((text) => servedAs(hookEvent, textOf(text)));
  if (typeof command !== 'string' && exitCode === undefined && stdout === undefined) return [];
  const isFailed: boolean = type !== 'hook_success' || (typeof exitCode === 'number' && exitCode !== 0);
  const printed = textOf(stdout);
  const plain = TAKES_PLAIN.includes(hookEvent) && !printed.trimStart().startsWith('{') ? printed.trim() : '';
  const text = isFailed ? undefined : (contextIn(printed) ?? (plain === '' ? undefined : plain));
  const ms = numberIn(durationMs);
  const hook: AuditFact = {
    kind: 'hook',
    event: hookEvent,
    command: textIn(command),
    isFailed: isFailed ? true : undefined,
    ms,
    text,
  };
  return [...beginningOf(textOf(hookName), record), hook, ...servedAs(hookEvent, textOf(content))];
}

function servedAs(event: string, text: string): readonly AuditFact[] {
  if (text.trim() === '') return [];
  return [{ kind: 'served', event, text, ...(text.startsWith(CUT) ? { isCut: true } : {}) }];
}

/** The name of a start hook has its reason: `SessionStart:resume`. */
function beginningOf(name: string, { isSidechain }: Fields): readonly AuditFact[] {
  if (isSidechain === true) return [];
  if (name === 'SessionStart:resume') return [{ kind: 'began', by: 'resume' }];
  return name === 'SessionStart:fork' ? [{ kind: 'began', by: 'fork' }] : [];
}

function replied({ id, model, content, usage }: Fields): readonly AuditFact[] {
  if (model === '<synthetic>') return [];
  const { input_tokens: fresh, cache_read_input_tokens: read, cache_creation_input_tokens: made } = mapOf(usage);
  const { output_tokens: output } = mapOf(usage);
  const input = [fresh, read, made].reduce<number>((sum, one) => sum + (typeof one === 'number' ? one : 0), 0);
  return [
    { kind: 'replied', response: textIn(id), input: numberIn(fresh) && input, output: numberIn(output) },
    ...listOf(content).flatMap((part): AuditFact[] => {
      const { type, id: call, name } = mapOf(part);
      if (type !== 'tool_use' || typeof call !== 'string') return [];
      const isDelegated = name === 'Agent' || name === 'Task';
      return [{ kind: 'acted', call }, ...(isDelegated ? [{ kind: 'delegated' } as const] : [])];
    }),
  ];
}
