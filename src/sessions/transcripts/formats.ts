// What the agents write down, agent by agent. Every record named here was seen beside the requests that a model of ours
// got from the same run; the version stands at each. To add one: an entry here, and a small transcript of it, made up, in
// fixtures/.

import type { TranscriptSpec } from '../../kernel/transcript.ts';

/** 2.1.325. Besides its own records it keeps the messages of its requests (`api-request-blob`); hooks leave what they
 *  printed (`stdout`) and what was made of it (`rendered`). Versions without `rendered` have it as the attachment's
 *  content. Comments are taken out of instruction files on the way, so an id in one would never be served. */
const claude: TranscriptSpec = {
  store: 'lines',
  folder: '.claude',
  variable: { name: 'CLAUDE_CONFIG_DIR' },
  files: ['projects/{slug}/{session}.jsonl'],
  slug: 'dashes',
  session: ['sessionId'],
  at: ['timestamp'],
  subagent: { isSidechain: true },
  rules: [
    {
      when: { type: 'user', 'message.role': 'user' },
      kind: 'given',
      role: 'user',
      text: ['message.content', 'message.content[type=text].text'],
      isHuman: { 'origin.kind': 'human' },
    },
    {
      when: { type: 'user', 'message.role': 'user' },
      kind: 'given',
      role: 'tool',
      text: ['message.content[type=tool_result].content', 'message.content[type=tool_result].content[type=text].text'],
    },
    {
      when: { type: 'attachment', rendered: '*' },
      kind: 'given',
      role: 'system',
      roleAt: 'renderedRole',
      text: ['rendered[].content'],
    },
    {
      when: { type: 'attachment', 'attachment.type': 'hook_additional_context' },
      unless: { rendered: '*' },
      kind: 'given',
      role: 'user',
      text: ['attachment.content', 'attachment.content[]'],
    },
    {
      when: { type: 'attachment', 'attachment.hookEvent': '*' },
      kind: 'printed',
      role: 'hook',
      text: ['attachment.stdout'],
    },
    {
      when: { type: 'api-request-blob', 'message.role': 'user' },
      kind: 'given',
      role: 'user',
      text: ['message.content', 'message.content[type=text].text'],
    },
    {
      when: { type: 'api-request-blob', 'message.role': 'system' },
      kind: 'given',
      role: 'system',
      text: ['message.content', 'message.content[type=text].text'],
    },
    { when: { type: 'api-request-shape' }, kind: 'given', role: 'system', text: ['shape.system[type=text].text'] },
    {
      when: { type: 'assistant' },
      // Its own words about errors.
      unless: { 'message.model': '<synthetic>' },
      kind: 'answer',
      role: 'assistant',
      text: ['message.content[type=text].text'],
    },
  ],
};

/** 0.166. The text of hooks is of the role `developer`, AGENTS.md of the role `user`. */
const codex: TranscriptSpec = {
  store: 'lines',
  folder: '.codex',
  variable: { name: 'CODEX_HOME' },
  files: ['sessions/*/*/*/rollout-*{session}.jsonl'],
  session: ['payload.session_id'],
  at: ['timestamp'],
  cwd: { path: 'payload.cwd', form: 'path' },
  isDated: true,
  rules: [
    {
      when: { type: 'response_item', 'payload.type': 'message' },
      unless: { 'payload.role': 'assistant' },
      kind: 'given',
      role: 'user',
      roleAt: 'payload.role',
      text: ['payload.content[].text'],
      isHuman: {
        'payload.internal_chat_message_metadata_passthrough.content_item_metadata[].provenance.type': 'user',
      },
    },
    {
      when: { type: 'response_item', 'payload.type': 'function_call_output' },
      kind: 'given',
      role: 'tool',
      text: ['payload.output', 'payload.output[].text'],
    },
    {
      when: { type: 'response_item', 'payload.type': 'custom_tool_call_output' },
      kind: 'given',
      role: 'tool',
      text: ['payload.output', 'payload.output[].text'],
    },
    { when: { type: 'session_meta' }, kind: 'given', role: 'system', text: ['payload.base_instructions.text'] },
    {
      when: { type: 'response_item', 'payload.type': 'message', 'payload.role': 'assistant' },
      kind: 'answer',
      role: 'assistant',
      text: ['payload.content[].text'],
    },
  ],
};

/** 0.61. The text of hooks and GEMINI.md are parts of what the user says; what the screen showed stands apart. */
const gemini: TranscriptSpec = {
  store: 'lines',
  folder: '.gemini',
  files: ['tmp/*/chats/session-*.jsonl'],
  inside: ['$set.messages[]', 'messages[]'],
  session: ['sessionId', '$set.sessionId'],
  at: ['timestamp'],
  cwd: { path: 'projectHash', form: 'sha256' },
  mark: '.project_root',
  rules: [
    { when: { type: 'user' }, kind: 'given', role: 'user', text: ['content', 'content[].text'] },
    { when: { type: 'user' }, kind: 'given', role: 'tool', text: ['content[].functionResponse.response.output'] },
    {
      when: { type: 'gemini' },
      kind: 'given',
      role: 'tool',
      text: ['toolCalls[].result[].functionResponse.response.output'],
    },
    { when: { type: 'gemini' }, kind: 'answer', role: 'assistant', text: ['content', 'content[!thought].text'] },
    { when: { type: 'info' }, kind: 'printed', role: 'agent', text: ['content', 'content[].text'] },
  ],
};

/** 0.24.4. What a session-start hook and QWEN.md say goes into the system prompt, of which it keeps nothing. */
const qwen: TranscriptSpec = {
  store: 'lines',
  folder: '.qwen',
  files: ['projects/{slug}/chats/{session}.jsonl'],
  slug: 'dashes',
  session: ['sessionId'],
  at: ['timestamp'],
  subagent: { isSidechain: true },
  rules: [
    {
      when: { type: 'user' },
      kind: 'given',
      role: 'user',
      text: ['message.parts[].text'],
      isHuman: { provenance: 'real_user' },
    },
    { when: { type: 'user' }, kind: 'printed', role: 'hook', text: ['systemPayload.hookContext'] },
    {
      when: { type: 'tool_result' },
      kind: 'given',
      role: 'tool',
      text: ['message.parts[].functionResponse.response.output', 'message.parts[].text'],
    },
    { when: { type: 'assistant' }, kind: 'answer', role: 'assistant', text: ['message.parts[!thought].text'] },
  ],
};

/** 1.0.102. What session-start hooks say reaches the model as one message, which stands here as the end of their run; of
 *  a hook before a tool, and at a prompt, it is what was printed. */
const copilot: TranscriptSpec = {
  store: 'lines',
  folder: '.copilot',
  variable: { name: 'COPILOT_HOME' },
  files: ['session-state/{session}/events.jsonl'],
  session: ['data.sessionId'],
  at: ['timestamp'],
  cwd: { path: 'data.context.cwd', form: 'path' },
  rules: [
    { when: { type: 'user.message' }, kind: 'given', role: 'user', text: ['data.transformedContent'] },
    {
      when: { type: 'user.message' },
      unless: { 'data.transformedContent': '*' },
      kind: 'given',
      role: 'user',
      text: ['data.content'],
    },
    { when: { type: 'system.message' }, kind: 'given', role: 'system', roleAt: 'data.role', text: ['data.content'] },
    { when: { type: 'tool.execution_complete' }, kind: 'given', role: 'tool', text: ['data.result.content'] },
    {
      when: { type: 'hook.end', 'data.hookType': 'sessionStart', 'data.success': true },
      kind: 'taken',
      role: 'hook',
      text: ['data.output.additionalContext'],
    },
    { when: { type: 'hook.end' }, kind: 'printed', role: 'hook', text: ['data.output.additionalContext'] },
    { when: { type: 'assistant.message' }, kind: 'answer', role: 'assistant', text: ['data.content'] },
  ],
};

/** 0.87.1. What an extension adds is a message of its own; AGENTS.md is a section of the system prompt. */
const pi: TranscriptSpec = {
  store: 'lines',
  folder: '.pi/agent',
  variable: { name: 'PI_CODING_AGENT_DIR' },
  files: ['sessions/{slug}/*_{session}.jsonl'],
  slug: 'double-dashes',
  session: [],
  at: ['timestamp'],
  rules: [
    {
      when: { type: 'message', 'message.role': 'user' },
      kind: 'given',
      role: 'user',
      text: ['message.content', 'message.content[type=text].text'],
    },
    {
      when: { type: 'message', 'message.role': 'system' },
      kind: 'given',
      role: 'system',
      text: ['message.content', 'message.sections.*'],
    },
    {
      when: { type: 'message', 'message.role': 'custom' },
      kind: 'given',
      role: 'user',
      text: ['message.content', 'message.content[type=text].text'],
    },
    { when: { type: 'custom_message' }, kind: 'given', role: 'user', text: ['content', 'content[type=text].text'] },
    {
      when: { type: 'message', 'message.role': 'toolResult' },
      kind: 'given',
      role: 'tool',
      text: ['message.content[type=text].text'],
    },
    {
      when: { type: 'message', 'message.role': 'assistant' },
      kind: 'answer',
      role: 'assistant',
      text: ['message.content[type=text].text'],
    },
  ],
};

/** 1.18.33. A part is changed in place while it is streamed. What a plug-in adds to the system prompt is not kept.
 *  A message that is sent while it works is written down at once and given to the model later: with the first answer, by
 *  the order of ids, that has this message or a later one for its parent, and something in it. */
const opencode: TranscriptSpec = {
  store: 'database',
  folder: '.local/share/opencode',
  variable: { name: 'XDG_DATA_HOME', folder: 'opencode' },
  file: 'opencode.db',
  sql: `
    WITH own AS MATERIALIZED (
      SELECT id, parent_id FROM session
       WHERE time_updated >= ?2 AND CASE WHEN ?4 = '' THEN directory = ?3 ELSE id = ?4 END
    ), told AS MATERIALIZED (
      SELECT message.id, message.session_id, own.parent_id,
             CASE WHEN json_valid(message.data) THEN json_extract(message.data, '$.role') END AS role,
             CASE WHEN json_valid(message.data) THEN json_extract(message.data, '$.parentID') END AS answered
        FROM own JOIN message ON message.session_id = own.id
    ), answer AS MATERIALIZED (
      SELECT told.session_id, told.answered, MIN(part.time_updated) AS at
        FROM told JOIN part ON part.message_id = told.id
       WHERE told.answered IS NOT NULL GROUP BY told.id
    ), found AS (
      SELECT part.id, part.session_id, part.data, told.parent_id, told.role,
             CASE WHEN told.role IS NOT 'user' THEN part.time_updated
                  ELSE MAX(part.time_updated, (SELECT MIN(answer.at) FROM answer
                       WHERE answer.session_id = told.session_id AND answer.answered >= told.id)) END AS changedAt
        FROM told JOIN part ON part.message_id = told.id
       WHERE octet_length(part.data) < 8000000
         AND part.time_updated >= CASE WHEN told.role IS 'user' THEN ?2 ELSE ?1 END
    )
    SELECT CAST(id AS BLOB) AS id, changedAt, CAST(session_id AS BLOB) AS session, CAST(parent_id AS BLOB) AS parent,
           CAST(data AS BLOB) AS part, CAST(role AS BLOB) AS role
      FROM found WHERE changedAt >= ?1
     ORDER BY changedAt, id LIMIT ?5 OFFSET ?6`,
  json: ['part'],
  session: ['session'],
  at: ['changedAt'],
  subagent: { parent: '*' },
  rules: [
    {
      when: { role: 'user', 'part.type': 'text' },
      unless: { 'part.ignored': true },
      kind: 'given',
      role: 'user',
      text: ['part.text'],
    },
    { when: { 'part.type': 'tool' }, kind: 'given', role: 'tool', text: ['part.state.output'] },
    {
      when: { role: 'assistant', 'part.type': 'text' },
      kind: 'answer',
      role: 'assistant',
      text: ['part.text'],
    },
  ],
};

export const TRANSCRIPTS: Readonly<Record<string, TranscriptSpec>> = {
  claude,
  codex,
  copilot,
  gemini,
  opencode,
  pi,
  qwen,
};
