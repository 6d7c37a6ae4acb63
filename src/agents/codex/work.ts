// The work in its transcript. Seen with 0.166. Each change of files that ended is an `item_completed`; what a patch changed is named
// there, also when the model applied it through a shell. So is each command, except one that ends at once: that is seen in its call
// and the output alone. Its plan is a tool call.

import {
  calledAs,
  itemsOf,
  listOf,
  mapOf,
  textOf,
  textsOf,
  type WorkFact,
  type WorkSpec,
} from '../../kernel/agent-work.ts';

export const work: WorkSpec = {
  facts: (record) => {
    const { type, payload } = mapOf(record);
    const about = mapOf(payload);
    if (type === 'response_item') return items(about);
    if (type === 'event_msg') return about.type === 'item_completed' ? completed(mapOf(about.item)) : [];
    if (type === 'session_meta') return about.source === 'exec' ? [{ kind: 'unattended' }] : [];
    return typeof type === 'string' && KNOWN.has(type) ? [] : undefined;
  },
};

const KNOWN = new Set(['turn_context', 'compacted', 'world_state', 'token_usage_record']);

function items(payload: Readonly<Record<string, unknown>>): readonly WorkFact[] {
  const { type, role, name, call_id: call } = payload;
  if (type === 'message' && role === 'user' && isTyped(payload))
    return [{ kind: 'asked', text: textsOf(payload.content) }];
  if (typeof call !== 'string') return [];
  if (type === 'function_call' && name === 'update_plan') {
    const plan = itemsOf(mapOf(parsed(payload.arguments)).plan);
    return [{ kind: 'called', call, deeds: [{ kind: 'listed', items: plan }] }];
  }
  if (type === 'function_call' && name === 'exec_command') {
    const command = textOf(mapOf(parsed(payload.arguments)).cmd);
    return command === '' ? [] : [{ kind: 'called', call, deeds: [{ kind: 'ran', command }] }];
  }
  // What these do is an `item_completed`.
  if (type === 'function_call' || type === 'custom_tool_call')
    return [calledAs({ call, tool: textOf(name), deeds: [] }, OTHERS)];
  return type === 'function_call_output' ? ended(call, textsOf(payload.output)) : [];
}

const OTHERS = new Set(
  (
    'apply_patch close_agent create_goal get_goal list_mcp_resource_templates list_mcp_resources read_mcp_resource request_user_input ' +
    'resume_agent send_input spawn_agent update_goal view_image wait_agent web_search write_stdin'
  ).split(' '),
);

/** The output of a command begins with lines about its process; one that still runs has no end yet. */
function ended(call: string, text: string): readonly WorkFact[] {
  const [head = '', ...output] = text.split(/^Output:\n/m);
  const isRefused = /\brejected by user\b/.test(head);
  if (output.length === 0)
    return [{ kind: 'returned', call, isFailed: text.startsWith('unsupported call'), isRefused, text }];
  const [, code] = /^Process exited with code (\d+)$/m.exec(head) ?? [];
  if (code === undefined) return [];
  return [{ kind: 'returned', call, isFailed: code !== '0', text: output.join('Output:\n') }];
}

/** AGENTS.md, the environment and the like are of the role `user` too. */
function isTyped(payload: Readonly<Record<string, unknown>>): boolean {
  const { content_item_metadata: metadata } = mapOf(payload.internal_chat_message_metadata_passthrough);
  return listOf(metadata).some((one) => mapOf(mapOf(one).provenance).type === 'user');
}

function completed(item: Readonly<Record<string, unknown>>): readonly WorkFact[] {
  if (item.type === 'FileChange') {
    if (item.status !== 'completed') return [];
    return Object.keys(mapOf(item.changes)).map((path) => ({ kind: 'edited', path }));
  }
  if (item.type !== 'CommandExecution') return [];
  const command = textOf(listOf(item.command).at(-1));
  const text = textOf(item.aggregated_output);
  return [{ kind: 'ran', command, isFailed: item.exit_code !== 0, text }];
}

function parsed(value: unknown): unknown {
  try {
    return JSON.parse(textOf(value));
  } catch {
    return undefined;
  }
}
