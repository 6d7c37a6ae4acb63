// Context in its database. Seen with 1.18.33. It has no hooks; what a plug-in adds to a message is a part that is `synthetic`, what
// it adds to the system prompt is not kept.

import type { AuditFact, AuditSpec } from '../../kernel/agent-audit.ts';
import { mapOf, textOf } from '../../kernel/agent-work.ts';

export const audit: AuditSpec = {
  shows: 'texts',
  sql: `
    SELECT CAST(id AS BLOB) AS id,
           CAST(json_object('about', json_object('session', id, 'version', version, 'folder', directory,
                            'parent', parent_id)) AS BLOB) AS record
      FROM session WHERE time_updated >= ?1 ORDER BY time_updated`,
  facts: (record) => {
    const { about, role, part } = mapOf(record);
    if (about !== undefined) return [aboutOf(mapOf(about))];
    const { type, text, synthetic, id, messageID, callID, tool, tokens } = mapOf(part);
    if (type === 'compaction') return [{ kind: 'compacted' }];
    if (type === 'text' && role === 'user') {
      const isAdded = synthetic === true && textOf(text).trim() !== '';
      return isAdded ? [{ kind: 'served', event: 'chat.message', text: textOf(text) }] : [];
    }
    if (type === 'tool' && typeof callID === 'string')
      return [{ kind: 'acted', call: callID }, ...(tool === 'task' ? [{ kind: 'delegated' } as const] : [])];
    return type === 'step-finish' ? [repliedAs(textOf(messageID) || textOf(id), mapOf(tokens))] : [];
  },
};

type Fields = Readonly<Record<string, unknown>>;

function aboutOf({ session, version, folder, parent }: Fields): AuditFact {
  return {
    kind: 'about',
    ...(typeof session === 'string' ? { session } : {}),
    ...(typeof version === 'string' ? { version } : {}),
    ...(typeof folder === 'string' ? { folder } : {}),
    ...(typeof parent === 'string' ? { isSubagent: true } : {}),
  };
}

function repliedAs(response: string, { input, output, cache }: Fields): AuditFact {
  const { read, write } = mapOf(cache);
  const all = [input, read, write].reduce<number>((sum, one) => sum + (typeof one === 'number' ? one : 0), 0);
  return {
    kind: 'replied',
    ...(response === '' ? {} : { response }),
    ...(typeof input === 'number' ? { input: all } : {}),
    ...(typeof output === 'number' ? { output } : {}),
  };
}
