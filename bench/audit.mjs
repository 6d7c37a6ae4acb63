// `foreword audit` against reading and parsing the same bytes: processor time of both, whole programs, in turn, so that other load on
// the machine does not count; and the most memory it had.
// The transcripts are made: turns with tool calls, results of some kilobytes, and texts of hooks. Linux only, for the memory.
// Usage: node bench/audit.mjs [--megabytes 300] [--rounds 5]   (after npm run build)

import { appendFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { parsing, ran } from './audit-run.mjs';
import { median, ms, table, times } from './measure.mjs';

const { values } = parseArgs({
  options: { megabytes: { type: 'string', default: '300' }, rounds: { type: 'string', default: '5' } },
});
const megabytes = Number(values.megabytes);
const COMMAND = join(import.meta.dirname, '../dist/command/start.cjs');

const WORDS = 'export function total(items) { return items.reduce((sum, item) => sum + item.price, 0); }\n'.repeat(30);
const at = (turn) => new Date(Date.UTC(2026, 10, 1) + turn * 1000).toISOString();

const home = mkdtempSync(join(tmpdir(), 'foreword-bench-audit-'));
try {
  const rows = [];
  for (const [agent, make] of Object.entries({ claude, codex, copilot })) {
    const folder = join(home, agent);
    const bytes = make(folder);
    const took = { parse: [], audit: [], peak: [] };
    for (let round = 0; round < Number(values.rounds); round += 1) {
      took.parse.push((await ran(['-e', parsing, folder], folder)).ms);
      const audit = await ran([COMMAND, 'audit', agent, '--json'], folder);
      took.audit.push(audit.ms);
      took.peak.push(audit.peakMib);
    }
    const [parse, audit] = [median(took.parse), median(took.audit)];
    rows.push([`${agent}, ${Math.round(bytes / 1e6)} MB: read and parsed`, ms(parse)]);
    rows.push([`${agent}: audit`, ms(audit)]);
    rows.push([`${agent}: audit to parsing`, times(audit / parse), 'at most 2 x', audit / parse <= 2]);
    rows.push([`${agent}: most memory`, `${Math.round(Math.max(...took.peak))} MiB`]);
  }
  table(`foreword audit, processor time, ${values.rounds} rounds`, rows);
} finally {
  rmSync(home, { recursive: true, force: true });
}

/** Sessions of 5 MB until there is enough. */
function fill(folder, nameOf, turnOf) {
  let bytes = 0;
  for (let session = 0; bytes < megabytes * 1e6; session += 1) {
    const path = join(folder, nameOf(session));
    mkdirSync(join(path, '..'), { recursive: true });
    writeFileSync(path, '');
    for (let turn = 0, size = 0; size < 5e6; turn += 1) {
      const text = `${turnOf(session, turn)
        .map((record) => JSON.stringify(record))
        .join('\n')}\n`;
      appendFileSync(path, text);
      size += text.length;
      bytes += text.length;
    }
  }
  return bytes;
}

function claude(folder) {
  return fill(
    folder,
    (session) => `.claude/projects/-p-${session % 7}/s${session}.jsonl`,
    (session, turn) => {
      const about = {
        sessionId: `s${session}`,
        version: '2.1.325',
        entrypoint: 'cli',
        cwd: '/p',
        timestamp: at(turn),
        isSidechain: false,
      };
      const id = `t${turn}`;
      const text = `rules ${turn}`;
      const stdout = JSON.stringify({ hookSpecificOutput: { hookEventName: 'PreToolUse', additionalContext: text } });
      const usage = { input_tokens: 1000 + turn, output_tokens: 10 };
      const call = { type: 'tool_use', id, name: turn % 9 === 8 ? 'Edit' : 'Read', input: { file_path: 'a.ts' } };
      return [
        ...(turn % 10 === 0
          ? [{ ...about, uuid: `${session}-${turn}`, type: 'user', message: { role: 'user', content: 'go on' } }]
          : []),
        { ...about, type: 'assistant', message: { id: `m${turn}`, role: 'assistant', content: [call], usage } },
        {
          ...about,
          type: 'attachment',
          attachment: {
            type: 'hook_success',
            hookEvent: 'PreToolUse',
            stdout,
            command: 'x',
            exitCode: 0,
            durationMs: 9,
          },
        },
        {
          ...about,
          type: 'attachment',
          attachment: { type: 'hook_additional_context', hookEvent: 'PreToolUse', content: [text] },
        },
        {
          ...about,
          type: 'user',
          message: { role: 'user', content: [{ type: 'tool_result', tool_use_id: id, content: WORDS }] },
        },
      ];
    },
  );
}

function codex(folder) {
  const record = (turn, type, payload) => ({ timestamp: at(turn), type, payload });
  return fill(
    folder,
    (session) => `.codex/sessions/2026/11/01/rollout-2026-11-01T00-00-00-${session}.jsonl`,
    (session, turn) => [
      ...(turn === 0
        ? [record(0, 'session_meta', { id: `${session}`, cli_version: '0.166.0', cwd: '/p', source: 'cli' })]
        : []),
      record(turn, 'response_item', {
        type: 'function_call',
        name: 'exec_command',
        arguments: '{}',
        call_id: `c${turn}`,
      }),
      record(turn, 'event_msg', {
        type: 'item_completed',
        item: { type: 'CommandExecution', command: ['sh', '-c', 'ls'], aggregated_output: WORDS, exit_code: 0 },
      }),
      record(turn, 'response_item', { type: 'function_call_output', call_id: `c${turn}`, output: WORDS }),
      record(turn, 'token_usage_record', { response_id: `r${turn}`, usage: { input_tokens: turn, output_tokens: 1 } }),
    ],
  );
}

function copilot(folder) {
  const record = (turn, type, data) => ({ type, data, timestamp: at(turn) });
  return fill(
    folder,
    (session) => `.copilot/session-state/${session}/events.jsonl`,
    (session, turn) => [
      ...(turn === 0
        ? [record(0, 'session.start', { sessionId: `${session}`, copilotVersion: '1.0.102', context: { cwd: '/p' } })]
        : []),
      record(turn, 'assistant.message', { messageId: `m${turn}`, content: WORDS.slice(0, 300) }),
      record(turn, 'tool.execution_start', { toolCallId: `c${turn}`, toolName: 'bash', arguments: { command: 'ls' } }),
      record(turn, 'hook.end', { hookType: 'preToolUse', success: true }),
      record(turn, 'tool.execution_complete', { toolCallId: `c${turn}`, success: true, result: { content: WORDS } }),
    ],
  );
}
