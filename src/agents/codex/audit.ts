// Hooks and context in its transcript. Seen with 0.166. It keeps what reached the conversation, not that a hook ran; a hook that
// nobody trusted, or that was changed since, is skipped without a word, and only its settings show it. Conversations of sub-agents
// have files of their own.

import type { AuditFact, AuditSpec, EntryPoint } from '../../kernel/agent-audit.ts';
import { listOf, mapOf, textOf } from '../../kernel/agent-work.ts';
import { skippedHooks } from './trust.ts';

export const audit: AuditSpec = {
  shows: 'texts',
  facts: (record) => {
    const { type, payload } = mapOf(record);
    const about = mapOf(payload);
    if (type === 'session_meta') return [aboutOf(about), ...forkOf(about)];
    if (type === 'compacted') return [{ kind: 'compacted' }];
    if (type === 'token_usage_record') return [usageOf(about)];
    return type === 'response_item' ? itemOf(about) : [];
  },
  setup: {
    files: [
      { path: 'hooks.json', format: 'json' },
      { path: 'config.toml', format: 'toml' },
    ],
    read: (settings, question) => skippedHooks(settings, question),
  },
};

type Fields = Readonly<Record<string, unknown>>;

const SOURCES: Readonly<Record<string, EntryPoint>> = {
  cli: 'terminal',
  exec: 'program',
  mcp: 'program',
  vscode: 'editor',
};

/** The editor's and the desktop's programs both talk to its server; who it is stands in `originator`. */
function aboutOf({ id, cli_version: version, cwd, source, originator, thread_source: thread }: Fields): AuditFact {
  const isDesktop = /desktop/i.test(textOf(originator));
  const isEditor = /vscode|jetbrains|xcode/i.test(textOf(originator));
  const entry = isDesktop ? 'desktop' : isEditor ? 'editor' : (SOURCES[textOf(source)] ?? 'unknown');
  return {
    kind: 'about',
    ...(typeof id === 'string' ? { session: id } : {}),
    ...(typeof version === 'string' ? { version } : {}),
    ...(typeof cwd === 'string' ? { folder: cwd } : {}),
    ...(thread === 'subagent' ? { isSubagent: true } : { entry }),
  };
}

function forkOf({ forked_from_id: from }: Fields): readonly AuditFact[] {
  return typeof from === 'string' ? [{ kind: 'began', by: 'fork' }] : [];
}

function usageOf({ response_id: id, usage }: Fields): AuditFact {
  const { input_tokens: input, output_tokens: output } = mapOf(usage);
  return {
    kind: 'replied',
    ...(typeof id === 'string' ? { response: id } : {}),
    ...(typeof input === 'number' ? { input } : {}),
    ...(typeof output === 'number' ? { output } : {}),
  };
}

const SPAWNS = 'spawn_agent';
const CUT = 'Warning: truncated output';

function itemOf(payload: Fields): readonly AuditFact[] {
  const { type, role, call_id: call, name } = payload;
  if ((type === 'function_call' || type === 'custom_tool_call') && typeof call === 'string')
    return [{ kind: 'acted', call }, ...(name === SPAWNS ? [{ kind: 'delegated' } as const] : [])];
  if (type !== 'message' || role !== 'developer') return [];
  const { content_item_metadata: metadata } = mapOf(payload.internal_chat_message_metadata_passthrough);
  return listOf(payload.content).flatMap((part, index): AuditFact[] => {
    if (mapOf(mapOf(listOf(metadata)[index]).provenance).hook !== true) return [];
    const text = textOf(mapOf(part).text);
    if (text === '') return [];
    return [{ kind: 'served', event: '', text, ...(text.startsWith(CUT) ? { isCut: true } : {}) }];
  });
}
