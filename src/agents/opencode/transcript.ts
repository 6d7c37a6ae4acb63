// Its transcript. Seen with 1.18.33. A part is changed in place while it is streamed. What a plug-in adds to the
// system prompt is not kept. A message that is sent while it works is recorded at once and reaches the model later:
// with the first reply, by the order of ids, that has this message or a later one for its parent, and something in it: parts, or
// the error of a turn that failed. A command of the person's (`!`) is recorded as a message of the assistant with a tool, which no
// model made: what a model makes begins with a step (`step-start`).

import type { MarkRule, TranscriptSpec } from '../../kernel/transcript.ts';

export const transcript: TranscriptSpec = {
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
             CASE WHEN NOT json_valid(message.data) THEN NULL
                  WHEN json_extract(message.data, '$.role') IS NOT 'assistant' THEN json_extract(message.data, '$.role')
                  WHEN json_extract(message.data, '$.error') IS NOT NULL THEN 'assistant'
                  WHEN EXISTS (SELECT 1 FROM part WHERE part.message_id = message.id
                        AND instr(part.data, '"type":"step-start"') > 0) THEN 'assistant' ELSE 'shell' END AS role,
             CASE WHEN json_valid(message.data) THEN json_extract(message.data, '$.parentID') END AS answered,
             CASE WHEN json_valid(message.data) THEN json_extract(message.data, '$.error') END AS error,
             message.time_updated, message.data
        FROM own JOIN message ON message.session_id = own.id
    ), answer AS MATERIALIZED (
      SELECT told.session_id, told.answered, MIN(part.time_updated) AS at
        FROM told JOIN part ON part.message_id = told.id
       WHERE told.answered IS NOT NULL AND told.role IS NOT 'shell' GROUP BY told.id
       UNION ALL
      SELECT session_id, answered, time_updated FROM told WHERE answered IS NOT NULL AND error IS NOT NULL
    ), found AS (
      SELECT part.id, part.session_id, part.data, told.parent_id, told.role, told.id AS message,
             CASE WHEN told.role IS 'user' THEN 0 ELSE 1 END AS rank,
             CASE WHEN told.role IS NOT 'user' THEN part.time_updated
                  ELSE MAX(part.time_updated, (SELECT MIN(answer.at) FROM answer
                       WHERE answer.session_id = told.session_id AND answer.answered >= told.id)) END AS changedAt
        FROM told JOIN part ON part.message_id = told.id
       WHERE octet_length(part.data) < 8000000
         AND part.time_updated >= CASE WHEN told.role IS 'user' THEN ?2 ELSE ?1 END
       UNION ALL
      SELECT id, session_id, data, parent_id, role, id, 2, time_updated FROM told
       WHERE error IS NOT NULL AND octet_length(data) < 8000000
    )
    SELECT CAST(id AS BLOB) AS id, changedAt, CAST(session_id AS BLOB) AS session, CAST(parent_id AS BLOB) AS parent,
           CAST(data AS BLOB) AS part, CAST(role AS BLOB) AS role, CAST(message AS BLOB) AS message
      FROM found WHERE changedAt >= ?1
     ORDER BY changedAt, rank, id LIMIT ?5 OFFSET ?6`,
  json: ['part'],
  session: ['session'],
  at: ['changedAt'],
  subagent: { parent: '*' },
  // A step begins (`step-start`) before the model answers.
  marks: [
    {
      when: { role: 'assistant', 'part.type': 'tool' },
      kind: 'reply',
      response: 'message',
      call: { id: 'part.callID', name: 'part.tool', input: 'part.state.input' },
    },
    ...['text', 'reasoning', 'step-finish'].map(
      (type): MarkRule => ({
        when: { role: 'assistant', 'part.type': type },
        kind: 'reply',
        response: 'message',
      }),
    ),
    {
      when: { role: 'assistant', 'part.error': '*' },
      kind: 'fault',
      text: ['part.error.data.message', 'part.error.name'],
      status: 'part.error.data.statusCode',
    },
    { when: { role: 'assistant', 'part.type': 'step-finish', 'part.reason': 'stop' }, kind: 'ended' },
    { when: { 'part.type': 'compaction' }, kind: 'forgotten' },
  ],
  rules: [
    {
      when: { role: 'user', 'part.type': 'text' },
      unless: { 'part.ignored': true },
      kind: 'given',
      role: 'user',
      text: ['part.text'],
      // Of a shell command of the person's, of a file that they named, of a plug-in.
      isOwn: { 'part.synthetic': true },
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
