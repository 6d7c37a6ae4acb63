// A command that the person did not allow is neither passed nor failed: nothing was run. Records in the shape of real ones.

import { expect, test } from 'vitest';
import { factsOf } from '../context/work/facts.ts';
import { gatherRecord, nothingGathered } from '../context/work/gather.ts';
import { WORKS } from './works.ts';

const CLAUDE = {
  type: 'user',
  toolUseResult: 'User rejected tool use',
  toolDenialKind: 'user-rejected',
  message: {
    role: 'user',
    content: [
      {
        type: 'tool_result',
        tool_use_id: 't1',
        is_error: true,
        content: "The user doesn't want to proceed with this tool use. The tool use was rejected.",
      },
    ],
  },
};

const RECORDS: Readonly<Record<string, readonly object[]>> = {
  claude: [
    {
      type: 'assistant',
      message: { content: [{ type: 'tool_use', id: 't1', name: 'Bash', input: { command: 'npm test' } }] },
    },
    CLAUDE,
  ],
  codex: [
    {
      type: 'response_item',
      payload: {
        type: 'function_call',
        name: 'exec_command',
        call_id: 't1',
        arguments: JSON.stringify({ cmd: 'npm test' }),
      },
    },
    {
      type: 'response_item',
      payload: { type: 'function_call_output', call_id: 't1', output: 'exec command rejected by user' },
    },
  ],
  opencode: [
    {
      part: {
        type: 'tool',
        callID: 't1',
        tool: 'bash',
        state: {
          status: 'error',
          input: { command: 'npm test' },
          error: 'The user rejected permission to use this specific tool call.',
        },
      },
    },
  ],
};

test.each(Object.keys(RECORDS))('%s: a refused command is no failed and no passed test', (name) => {
  const into = nothingGathered();
  let facts = 0;
  for (const record of RECORDS[name] ?? []) {
    const found = WORKS[name]?.facts(record) ?? [];
    facts += found.length;
    gatherRecord(into, found, { redact: (text) => text });
  }
  expect(facts, 'its records are read').toBe(2);
  expect(factsOf(into, { commits: [], uncommitted: [] }, { root: '/shop', missing: [] }).commands).toEqual([]);
});
