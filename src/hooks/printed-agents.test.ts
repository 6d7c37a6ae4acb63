// What each agent writes down of the texts of hooks, as its version that is pinned does: what does not stand there after an answer
// was lost, and is said again; what stands there is never said twice.

import { appendFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Libsql from 'libsql';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { Field } from '../../test/hooks/field.ts';
import { transcriptReader } from '../sessions/transcripts/read-once.ts';
import { openForeignDatabase } from '../stores/sqlite/foreign.ts';

let field: Field;
let written: Written;
let turns = 0;
beforeEach(() => {
  field = new Field();
  turns = 0;
});
afterEach(() => {
  written.close();
  field.remove();
});

/** Where the agent writes, and how it writes a turn: a prompt, the text of a hook that came with it, a tool's result and an
 *  answer. An empty text is none. */
interface Written {
  readonly payload: object;
  turn(prompt: string, tool: string): void;
  close(): void;
}

const AGENTS: Readonly<Record<string, () => Written>> = {
  qwen: () =>
    lines((prompt, tool) => [
      user({ role: 'user', parts: [{ text: 'Go on.' }, ...(prompt === '' ? [] : [{ text: prompt }])] }),
      ...(tool === '' ? [] : [result({ functionResponse: { name: 'ls', response: { output: `one\n\n${tool}` } } })]),
      { type: 'assistant', uuid: `a${turns}`, message: { role: 'model', parts: [{ text: 'Noted.' }] } },
    ]),
  pi: () =>
    lines((prompt, tool) => [
      { type: 'message', id: `u${turns}`, message: { role: 'user', content: [{ type: 'text', text: 'Go on.' }] } },
      ...(prompt === '' ? [] : [{ type: 'custom_message', id: `c${turns}`, content: prompt }]),
      ...(tool === ''
        ? []
        : [
            {
              type: 'message',
              id: `t${turns}`,
              message: { role: 'toolResult', content: [{ type: 'text', text: tool }] },
            },
          ]),
      { type: 'message', id: `a${turns}`, message: { role: 'assistant', content: [], stopReason: 'stop' } },
    ]),
  opencode: database,
};

const user = (message: object) => ({ type: 'user', uuid: `u${turns}`, parentUuid: null, message });
const result = (part: object) => ({ type: 'tool_result', uuid: `t${turns}`, message: { role: 'user', parts: [part] } });

function lines(records: (prompt: string, tool: string) => readonly object[]): Written {
  mkdirSync(field.folder, { recursive: true });
  const path = join(field.folder, 'transcript.jsonl');
  writeFileSync(path, '');
  return {
    payload: { transcript_path: path },
    turn: (prompt, tool) =>
      appendFileSync(
        path,
        records(prompt, tool)
          .map((record) => `${JSON.stringify(record)}\n`)
          .join(''),
      ),
    close: () => undefined,
  };
}

/** As OpenCode 1.18.33 makes it, as far as it is read. */
function database(): Written {
  const folder = join(field.folder, '.local/share/opencode');
  mkdirSync(folder, { recursive: true });
  const own = new Libsql(join(folder, 'opencode.db'));
  own.exec(`
    PRAGMA journal_mode=WAL;
    CREATE TABLE session (id text PRIMARY KEY, parent_id text, directory text NOT NULL, time_updated integer NOT NULL);
    CREATE TABLE message (id text PRIMARY KEY, session_id text NOT NULL, time_updated integer NOT NULL, data text NOT NULL);
    CREATE TABLE part (id text PRIMARY KEY, message_id text NOT NULL, session_id text NOT NULL, time_updated integer NOT NULL, data text NOT NULL);
    INSERT INTO session VALUES ('s', NULL, '/', ${Date.now()});`);
  let at = 0;
  const message = (id: string, data: object) =>
    own.prepare('INSERT INTO message VALUES (?, ?, ?, ?)').run(id, 's', at, JSON.stringify(data));
  const part = (id: string, of: string, data: object) =>
    own.prepare('INSERT INTO part VALUES (?, ?, ?, ?, ?)').run(id, of, 's', at, JSON.stringify(data));
  return {
    payload: {},
    turn: (prompt, tool) => {
      at = Date.now() + field.aheadMs + 10;
      const [asked, called, answered] = [`msg_${turns}1`, `msg_${turns}2`, `msg_${turns}3`];
      message(asked, { role: 'user' });
      part(`prt_${turns}1`, asked, { type: 'text', text: 'Go on.' });
      if (prompt !== '') part(`prt_${turns}1fw`, asked, { type: 'text', text: prompt, synthetic: true });
      message(called, { role: 'assistant', parentID: asked });
      part(`prt_${turns}2begun`, called, { type: 'step-start' });
      part(`prt_${turns}2`, called, {
        type: 'tool',
        tool: 'ls',
        state: { status: 'completed', output: `one ${tool}` },
      });
      at += 10;
      message(answered, { role: 'assistant', parentID: asked });
      part(`prt_${turns}3begun`, answered, { type: 'step-start' });
      part(`prt_${turns}3`, answered, { type: 'text', text: 'Noted.' });
    },
    close: () => own.close(),
  };
}

async function call(event: string, agent: string): Promise<string> {
  field.aheadMs += 70_000;
  const payload = { session_id: 's', source: 'startup', prompt: 'Go on.', ...written.payload, tool_input: {} };
  const ports = { textsSince: transcriptReader({ HOME: field.folder }, openForeignDatabase) };
  return field.text(event, agent, payload, { ports });
}

/** A whole turn; `keeps` is what the agent keeps of what the hooks printed. */
async function turn(agent: string, keeps: { readonly prompt?: boolean; readonly tool?: boolean }) {
  turns += 1;
  const prompt = await call('prompt', agent);
  const tool = await call('post-tool', agent);
  written.turn(keeps.prompt === false ? '' : prompt, keeps.tool === false ? '' : tool);
  await call('stop', agent);
  return { prompt: prompt !== '', tool: tool !== '' };
}

const journal = () => field.journal().flatMap((entry) => ('context' in entry ? [entry.kind] : []));

test.each(Object.entries(AGENTS))('%s: what stands there is served and never said again', async (agent, make) => {
  written = make();
  expect(await turn(agent, {})).toEqual({ prompt: true, tool: true });
  expect(journal()).toEqual(['context-printed', 'gate-spoken', 'context-served', 'context-served']);
  expect(await turn(agent, {})).toEqual({ prompt: false, tool: false });
  expect(await turn(agent, {})).toEqual({ prompt: false, tool: false });
  expect(journal()).toEqual([]);
});

test.each(Object.entries(AGENTS))('%s: what was lost is said again, three times in all', async (agent, make) => {
  written = make();
  const lost = { prompt: false, tool: false };
  const said = [];
  for (let round = 0; round < 5; round += 1) said.push(await turn(agent, lost));
  expect(said.map(({ prompt }) => prompt)).toEqual([true, true, true, false, false]);
  expect(said.map(({ tool }) => tool)).toEqual([true, true, true, false, false]);
  expect(journal().filter((kind) => kind === 'context-lost')).toHaveLength(6);
});

test.each(Object.entries(AGENTS))('%s: the tool alone lost its text', async (agent, make) => {
  written = make();
  await turn(agent, { tool: false });
  expect(await turn(agent, {})).toEqual({ prompt: false, tool: true });
  expect(await turn(agent, {})).toEqual({ prompt: false, tool: false });
});

/** Before a tool it keeps nothing of a hook. */
const copilot = () =>
  lines((prompt) => [
    {
      type: 'user.message',
      data: {
        content: 'Go on.',
        transformedContent: `Go on.${prompt === '' ? '' : `\n\n<system_reminder>\n${prompt}\n</system_reminder>`}`,
      },
    },
    { type: 'assistant.message', data: { messageId: `m${turns}`, content: 'Noted.', toolRequests: [] } },
  ]);

test('copilot: what stands in the prompt is served and never said again', async () => {
  written = copilot();
  const said = [];
  for (let round = 0; round < 3; round += 1) said.push(await turn('copilot', {}));
  expect(said.map(({ prompt }) => prompt)).toEqual([true, false, false]);
  expect(journal()).toEqual(['context-printed', 'context-served']);
});

test('copilot: what the prompt lost is said again, three times in all', async () => {
  written = copilot();
  const said = [];
  for (let round = 0; round < 5; round += 1) said.push(await turn('copilot', { prompt: false }));
  expect(said.map(({ prompt }) => prompt)).toEqual([true, true, true, false, false]);
  expect(journal().filter((kind) => kind === 'context-lost')).toHaveLength(3);
});
