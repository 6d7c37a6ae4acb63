// The dashboard as a person and a collector use it: what it serves, that it is live, that hostile text stays text, and how it
// is started and ended.

import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { get, type IncomingMessage } from 'node:http';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startServer } from '../../src/dashboard/server.ts';
import type { Shown, ShownText } from '../../src/dashboard/shown.ts';
import { appendSpool } from '../../src/hooks/spool.ts';
import { countUnsafe } from '../../src/kernel/safe-text.ts';
import { session } from '../../src/stores/contract/samples.ts';
import { ownerName } from '../../src/system/processes/owner.ts';
import { until } from '../processes/processes.ts';
import { type Board, openBoard, raw } from './field.ts';

let board: Board;
beforeAll(async () => {
  board = await openBoard();
});
afterAll(() => board.remove());

const ask = (target: string) => fetchText(`http://127.0.0.1:${board.port}${target}`, board.token);

async function fetchText(url: string, token: string) {
  const response = await fetch(url, { headers: { authorization: `Bearer ${token}` } });
  return { status: response.status, headers: response.headers, body: await response.text() };
}

test('the page and its files come with headers that forbid everything they do not need', async () => {
  for (const [target, type] of [
    [`/?token=${board.token}`, 'text/html; charset=utf-8'],
    ['/page.js', 'text/javascript; charset=utf-8'],
    ['/page.css', 'text/css; charset=utf-8'],
  ] as const) {
    const { status, headers, body } = await ask(target);
    expect([status, headers.get('content-type')]).toEqual([200, type]);
    expect(headers.get('content-security-policy')).toMatch(
      /^default-src 'none'; script-src 'self'; style-src 'self'; /,
    );
    expect(headers.get('content-security-policy')).not.toMatch(/unsafe|http|\*/);
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    expect(headers.get('cache-control')).toBe('no-store');
    expect(headers.get('referrer-policy')).toBe('no-referrer');
    expect(body.length).toBeGreaterThan(500);
    // Nothing from elsewhere, nothing inline.
    expect(body).not.toMatch(/https?:\/\/|<style|\sstyle=|\son\w+=|<script>|innerHTML/);
  }
});

test('the state has every view, with hostile text made visible and secrets taken out', async () => {
  const { body } = await ask('/state');
  expect(body).toMatch(/^[\x20-\x7e]*$/);
  expect(body).not.toContain('sesame');
  const shown = JSON.parse(body) as Shown;
  expect(shown.needs.rows.map(({ state, who }) => [state.word, who])).toEqual([
    ['asks you', 'claude s1a2b3c4d'],
    ['needs review', 'task api_health'],
    ['not arrived', 'a text'],
  ]);
  expect(shown.sessions).toMatchObject([
    { id: 's1a2b3c4d', waiting: [{ id: 'fw_waits', reason: 'dialog: trust folder' }] },
  ]);
  expect(shown.arrivals.rows[0]?.cells).toMatchObject({
    'session-start': { proof: 4 },
    prompt: { proof: 1, arrived: 0 },
  });
  expect(shown.agents.find(({ agent }) => agent === 'swift')).toMatchObject({
    state: { word: 'unavailable' },
    reason: 'rate_limit',
  });
  expect(shown.measured[0]?.cells.map(({ state }) => state.word)).toEqual([
    'not tried',
    'not tried',
    'not tried',
    'not tried',
    'not tried',
    'served',
    'not tried',
    'not tried',
    'dropped',
  ]);
  expect(shown.tasks.rows[0]?.marks.map(({ kind }) => kind)).toEqual(['attempt', 'switch', 'attempt']);
  const texts = JSON.stringify(shown);
  expect(texts).toContain('window.hit');
  expect(countUnsafe(texts)).toBe(0);
});

test('the exact text of a delivery and the prompt of an attempt are shown in parts', async () => {
  const sent = JSON.parse((await ask('/text?delivery=fw_waits')).body) as ShownText;
  expect(sent.parts[0]?.text).toMatch(/^secret plan <img /);
  const prompt = JSON.parse((await ask('/text?task=api_health&attempt=2')).body) as ShownText;
  expect(prompt.parts.map(({ name, tokens }) => [name, tokens > 0])).toEqual([
    ['hand-over', true],
    ['prompt', true],
  ]);
  expect(prompt.parts[1]?.text).toBe('Add a health route.');
  expect(countUnsafe(prompt.parts[0]?.text ?? '')).toBe(0);
});

test('the figures are those of foreword metrics, byte for byte', async () => {
  const { body, headers } = await ask('/metrics');
  expect(headers.get('content-type')).toContain('version=0.0.4');
  expect(body).toBe((await board.command('metrics')).stdout);
  expect(body).toContain('context_injection_count');
});

test('HEAD has the head alone', async () => {
  const head = `HEAD /state HTTP/1.1\r\nHost: 127.0.0.1:${board.port}\r\nAuthorization: Bearer ${board.token}\r\nConnection: close\r\n\r\n`;
  const { status, head: lines, body } = await raw(board.port, head);
  expect([status, body]).toEqual([200, '']);
  expect(lines).toMatch(/content-length: \d{3,}/);
});

test('an open page is sent each change within seconds, and nothing while nothing changes', async () => {
  const stream = await openStream(board.port, board.token);
  const states = () => stream.text().match(/^event: state$/gm)?.length ?? 0;
  await until('the first state', () => states() === 1);
  await new Promise((resolve) => setTimeout(resolve, 2500));
  expect(states()).toBe(1);
  await board.tell({ kind: 'agent-switched', task: 'api_health', from: 'swift', to: 'steady', reason: 'rate_limit' });
  await board.stores.receipts.append({
    id: 'rcp_live',
    delivery: 'fw_live',
    session: 's_live',
    moment: 'prompt',
    channel: 'typed',
    proof: 'acknowledged',
    outcome: 'delivered',
    at: new Date().toISOString(),
    attempts: 1,
    durationMs: 5,
  });
  await until('the next state', () => stream.text().includes('s_live'));
  stream.close();
});

test('records are read only while a page is open', async () => {
  let reads = 0;
  const server = await startServer({
    port: 0,
    token: 'abc',
    files: { html: '', script: '', style: '' },
    everyMs: 10,
    backing: {
      shown: async () => {
        reads += 1;
        return { project: `${reads}` } as Shown;
      },
      metrics: async () => '',
      delivery: async () => ({ title: '', parts: [] }),
      prompt: async () => ({ title: '', parts: [] }),
      redact: (text) => text,
    },
  });
  try {
    await new Promise((resolve) => setTimeout(resolve, 100));
    expect(reads).toBe(0);
    const stream = await openStream(server.port, 'abc');
    await until('some reads', () => reads > 3);
    stream.close();
    await new Promise((resolve) => setTimeout(resolve, 200));
    const after = reads;
    await new Promise((resolve) => setTimeout(resolve, 200));
    expect(reads).toBe(after);
  } finally {
    await server.close();
  }
});

test('no code point leaves it raw that could be invisible or steer anything', async () => {
  let all = '';
  for (let code = 0; code < 0x110000; code += 1) all += String.fromCodePoint(code);
  const server = await startServer({
    port: 0,
    token: 'abc',
    files: { html: '', script: '', style: '' },
    everyMs: 1000,
    backing: {
      shown: async () => ({ project: all }) as Shown,
      metrics: async () => all,
      delivery: async () => ({ title: all, parts: [] }),
      prompt: async () => ({ title: all, parts: [] }),
      redact: (text) => text,
    },
  });
  try {
    for (const path of ['/state', '/text?delivery=a', '/text?task=a&attempt=1']) {
      const { body } = await fetchText(`http://127.0.0.1:${server.port}${path}`, 'abc');
      expect(/^[\x20-\x7e]*$/.test(body)).toBe(true);
      const value = JSON.parse(body) as { project?: string; title?: string };
      expect(countUnsafe(value.project ?? value.title ?? expect.fail(path))).toBe(0);
    }
    const { body } = await fetchText(`http://127.0.0.1:${server.port}/metrics`, 'abc');
    expect(countUnsafe(body)).toBe(0);
  } finally {
    await server.close();
  }
});

test('a session that died and the events of hooks are shown, and left for other commands to import', async () => {
  const other = await openBoard();
  try {
    const state = join(other.folder, '.local/state/foreword');
    const look = async () => (await fetchText(`http://127.0.0.1:${other.port}/state`, other.token)).body;
    const [host, boot, , , machine] = ownerName().split(' ');
    const dead = { ...session('sdead'), owner: `${host} ${boot} 4194304 1 ${machine}` };
    await other.stores.sessions.put('sdead', dead, 0);
    const told = { id: 'evt_spooled', at: new Date().toISOString(), session: 'own-session', agent: 'codex' };
    const printed = { kind: 'context-printed', moment: 'prompt', context: 'fw_5', chars: 9, durationMs: 4 } as const;
    appendSpool(state, other.project, { ...told, ...printed });
    const seen = JSON.parse(await look()) as Shown;
    expect(seen.needs.rows.find(({ state: { word } }) => word === 'died')).toMatchObject({ who: 'codex sdead' });
    expect(seen.arrivals.rows.find(({ id }) => id === 'own-session')?.cells.prompt).toMatchObject({
      total: 1,
      proof: 2,
    });
    expect((await other.stores.sessions.get('sdead'))?.value).toEqual(dead);
    expect((await other.stores.journal.read()).map(({ value }) => value.id)).not.toContain('evt_spooled');

    await other.command('sessions');
    expect((await other.stores.sessions.get('sdead'))?.value.endedAt).toBeDefined();
    const after = JSON.parse(await look()) as Shown;
    expect(after.needs.rows.map(({ state: { word } }) => word)).not.toContain('died');
    expect(after.arrivals.rows.find(({ id }) => id === 'own-session')?.cells.prompt).toMatchObject({ total: 1 });
  } finally {
    await other.remove();
  }
});

test('a port that is taken or invalid is an error that says what to do', async () => {
  const taken = await board.command('dashboard', '--port', String(board.port));
  expect([taken.status, taken.stderr]).toEqual([2, expect.stringContaining('Choose another port')]);
  const wrong = await board.command('dashboard', '--port', 'http');
  expect([wrong.status, wrong.stderr]).toEqual([2, expect.stringContaining('from 0 to 65535')]);
});

test('a store that is not there yet is shown as empty, and as what it is once it is there', async () => {
  const other = await openBoard('--store', 'later.db');
  try {
    const state = async () => (await fetchText(`http://127.0.0.1:${other.port}/state`, other.token)).body;
    expect(JSON.parse(await state())).toMatchObject({ tasks: { rows: [] }, sessions: [] });
    expect((await other.command('save', '--next', 'x', '--store', 'later.db')).status).toBe(0);
    expect(JSON.parse(await state())).toMatchObject({ tasks: { rows: [] } });
    expect(other.token).not.toBe(board.token);
  } finally {
    await other.remove();
  }
});

test('a store that cannot be read is reported to requests and open pages, and the file is left as it is', async () => {
  const other = await openBoard('--store', 'no-store.db');
  try {
    const stream = await openStream(other.port, other.token);
    await until('the empty state', () => stream.text().includes('event: state'));
    writeFileSync(join(other.project, 'no-store.db'), 'plain text');
    await until('the problem', () => stream.text().includes('event: problem'));
    for (const path of ['/state', '/metrics']) {
      const { status, body } = await fetchText(`http://127.0.0.1:${other.port}${path}`, other.token);
      expect([status, JSON.parse(body).error.code]).toEqual([503, 'store-damaged']);
    }
    expect(readFileSync(join(other.project, 'no-store.db'), 'utf8')).toBe('plain text');
    rmSync(join(other.project, 'no-store.db'));
    await until('the state again', () => (stream.text().match(/^event: state$/gm)?.length ?? 0) === 2);
    stream.close();
  } finally {
    await other.remove();
  }
});

test('Ctrl-C ends it, also while a page is open', async () => {
  const other = await openBoard();
  try {
    const stream = await openStream(other.port, other.token);
    expect(await other.stop()).toBe(0);
    stream.close();
  } finally {
    await other.remove();
  }
});

interface Stream {
  text(): string;
  close(): void;
}

function openStream(port: number, token: string): Promise<Stream> {
  return new Promise((resolve, reject) => {
    const options = { port, host: '127.0.0.1', path: '/events', headers: { authorization: `Bearer ${token}` } };
    const request = get(options, (response: IncomingMessage) => {
      let all = '';
      response.setEncoding('utf8');
      response.on('data', (part) => {
        all += part;
      });
      response.on('error', () => undefined);
      resolve({ text: () => all, close: () => request.destroy() });
    });
    request.on('error', reject);
  });
}
