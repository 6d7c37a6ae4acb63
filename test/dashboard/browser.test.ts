// The page in a real browser: it shows what is there, follows what happens, keeps to its policy, and takes hostile text for
// text. A page of somebody else in the same browser gets nothing, even if it knew the token.

import { existsSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type Browser, chromium, type Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { attempt, record, run } from '../../src/stores/contract/samples.ts';
import { ownerName } from '../../src/system/processes/owner.ts';
import { type Board, everything, HOSTILE, openBoard, openEmptyBoard } from './field.ts';

const PROGRAM = '/usr/bin/chromium';
const started = await launch();
const why = typeof started === 'string' ? started : undefined;

/** Or why there is no browser to be had here. */
async function launch(): Promise<Browser | string> {
  if (!existsSync(PROGRAM)) return `there is no ${PROGRAM}`;
  const isRoot = process.getuid?.() === 0;
  const args = [...(isRoot ? ['--no-sandbox'] : []), '--host-resolver-rules=MAP evil.example 127.0.0.1'];
  return chromium.launch({ executablePath: PROGRAM, args }).catch((error: unknown) => {
    const [line = ''] = String(error).split('\n');
    return `${PROGRAM} does not start here: ${line}`;
  });
}

describe.skipIf(why !== undefined)(`in a browser${why === undefined ? '' : ` (skipped: ${why})`}`, () => {
  let board: Board;
  let browser: Browser;
  let evil: Server;
  beforeAll(async () => {
    board = await openBoard();
    browser = started as Browser;
    evil = createServer((_request, response) => {
      response.setHeader('content-type', 'text/html');
      response.end(
        '<!doctype html><title>evil</title><form method="post" target="frame"></form><iframe name="frame"></iframe>',
      );
    });
    await new Promise<void>((resolve) => evil.listen(0, '127.0.0.1', resolve));
  });
  afterAll(async () => {
    await browser?.close();
    evil?.close();
    await board?.remove();
  });

  /** What a page complains of: its own errors, and everything its policy refused. */
  async function openPage(url: string, size = { width: 1280, height: 800 }) {
    const page = await browser.newPage({ viewport: size });
    const complaints: string[] = [];
    page.on('pageerror', (error) => complaints.push(String(error)));
    page.on('console', (message) => {
      const isIcon = message.location().url.endsWith('/favicon.ico');
      if (message.type() === 'error' && !isIcon) complaints.push(message.text());
    });
    const foreign: string[] = [];
    page.on('request', (request) => {
      if (!request.url().startsWith(`http://127.0.0.1:${board.port}/`)) foreign.push(request.url());
    });
    const response = await page.goto(url);
    return { page, complaints, foreign, status: response?.status() };
  }

  const textOf = (page: Page, selector: string) => page.locator(selector).first().innerText();

  test('it shows the session and the matrix, and follows a record that is written', async () => {
    const { page, complaints, foreign } = await openPage(board.url);
    await page.locator('#now .needs li').first().waitFor();
    expect(await textOf(page, '#now')).toContain('s1a2b3c4d');
    expect(await textOf(page, '#now')).toContain('dialog: trust folder');
    expect(await textOf(page, '#agents')).toContain('0.166.0');
    expect(await textOf(page, '#agents')).toContain('served');
    expect(await textOf(page, '#tasks')).toContain('switch to steady (rate_limit)');
    expect(await textOf(page, '#link')).toContain('live');
    expect(await page.title()).toMatch(/^\(3\) /);

    const button = page.locator('#tasks button').last();
    await button.focus();
    const breaker = { agent: 'steady', state: 'open', reason: 'auth', openedAt: new Date().toISOString() } as const;
    await board.stores.breakers.put('steady', { ...breaker, until: new Date(Date.now() + 60_000).toISOString() }, 0);
    await page.locator('#now', { hasText: 'it is not signed in' }).waitFor({ timeout: 5000 });
    expect(await page.title()).toMatch(/^\(4\) /);

    await page.keyboard.press('Enter');
    await page.locator('dialog pre').first().waitFor();
    expect(await textOf(page, 'dialog')).toContain('swift failed before');
    await page.keyboard.press('Escape');

    const commit = 'c0ffee'.padEnd(40, '0');
    await board.stores.runs.put('tasks-1a2b', { ...run('tasks-1a2b'), tip: commit }, 0);
    const done = { commit, by: 'person', run: 'tasks-1a2b' } as const;
    await board.stores.tasks.add({ ...record('done', 'completed'), ...done });
    await board.tell({ kind: 'task-rejected', task: 'api_health', because: HOSTILE });
    await page.locator('#tasks .runs', { hasText: 'foreword merge' }).waitFor({ timeout: 5000 });
    const tasks = await textOf(page, '#tasks');
    for (const text of [
      'Branch foreword/tasks-1a2b, from main at aaaaaaa with uncommitted files: 1 commit, not merged yet',
      'commit c0ffee0',
    ])
      expect(tasks).toContain(text);
    expect(tasks).toContain('accepted by a person, not merged');
    await page.locator('#tasks .person', { hasText: 'rejected' }).waitFor({ timeout: 5000 });

    // Hostile text stands there as text, and nothing of it came to life.
    expect(await textOf(page, 'main')).toContain('<img src=x');
    expect(await page.locator('img, iframe, main script').count()).toBe(0);
    expect(await page.evaluate('window.hit')).toBeUndefined();
    expect(complaints).toEqual([]);
    expect(foreign).toEqual([]);
    await page.close();
  });

  test('what one reads, has selected or is on with the keyboard stays where it is while rows come and go', async () => {
    for (let number = 10; number < 40; number += 1)
      await board.stores.tasks.add({ ...record(`queued-${number}`, 'queued'), intent: `the work of ${number}` });
    await board.stores.attempts.append('queued-20', attempt(1, 'steady'));
    const { page, complaints } = await openPage(board.url);
    const row = '#tasks [data-row="queued-20"]';
    await page.locator(row).waitFor();
    const seen = () =>
      page.evaluate(`(() => {
        const row = document.querySelector('${row}');
        return {
          top: Math.round(row.getBoundingClientRect().top),
          selected: String(getSelection()),
          focused: document.activeElement.dataset.key,
        };
      })()`) as Promise<{ top: number; selected: string; focused: string }>;
    await page.evaluate(`(() => {
      const row = document.querySelector('${row}');
      scrollBy({ top: row.getBoundingClientRect().top - 300, behavior: 'instant' });
      row.querySelector('button').focus({ preventScroll: true });
      getSelection().selectAllChildren(row.querySelector('.intent'));
    })()`);
    const before = await seen();
    const expected = { selected: 'the work of 20', focused: 'attempt 1 queued-20' };
    expect(before).toMatchObject(expected);
    // Above it: another need, and tasks that are shown before queued ones.
    const lost = { ...record('review-me', 'needs-review'), reason: 'a long reason '.repeat(20) };
    await board.stores.tasks.add(lost);
    for (const id of ['fails', 'blocks'])
      await board.stores.tasks.add(record(id, id === 'fails' ? 'failed' : 'blocked'));
    await page.locator('#tasks [data-row="blocks"]').waitFor({ state: 'attached', timeout: 5000 });
    const after = await seen();
    expect(after).toMatchObject(expected);
    // Rows are parts of a pixel high.
    expect(Math.abs(after.top - before.top)).toBeLessThanOrEqual(1);
    expect(complaints).toEqual([]);
    await page.close();
  });

  test('a task whose supervisor died is under what needs you', async () => {
    await board.stores.tasks.add(record('orphan', 'queued'));
    const owner = ownerName().replace(/\d+/, '999999');
    const claimed = { owner, now: Date.now(), leaseMs: 60_000 };
    expect(await board.stores.tasks.claim('orphan', claimed)).toBeDefined();
    const { page } = await openPage(board.url);
    await page.locator('#now', { hasText: 'task orphan' }).waitFor({ timeout: 5000 });
    expect(await textOf(page, '#now .needs li[data-row="task orphan supervisor gone"]')).toContain('supervisor gone');
    await page.close();
  });

  test('agents that are not installed, or never worked, are not green', async () => {
    const { page } = await openPage(board.url);
    await page.locator('#agents .agents li').first().waitFor();
    expect(await page.locator('#agents .agents .good').count()).toBe(0);
    expect(await textOf(page, '#agents .agents')).toContain('not installed');
    await page.close();
  });

  test('a store that became unreadable, and a server that is gone, show nothing as good', async () => {
    const other = await openEmptyBoard();
    const { page } = await openPage(other.url);
    const calm = page.locator('#now .calm');
    await calm.locator('.good').waitFor();
    expect(await calm.innerText()).toContain('Nothing needs you.');
    await other.stores.close();
    writeFileSync(other.file, Buffer.alloc(65_536, 'damaged '));
    await page.locator('#problem').waitFor({ timeout: 10_000 });
    expect(await calm.innerText()).toContain('Unknown. Nothing needed you when this page was updated last.');
    expect(await page.locator('main .good').count()).toBe(0);
    expect(await page.title()).toMatch(/^\(\?\) /);
    const again = await openPage(other.url);
    await again.page.locator('#now .calm', { hasText: 'Unknown: the records cannot be read.' }).waitFor();
    await other.stop();
    await page.locator('#link', { hasText: 'not connected' }).waitFor();
    expect(await page.locator('main .good').count()).toBe(0);
    await again.page.close();
    await page.close();
    await other.remove();
  });

  test('nothing sticks out or is squeezed on a narrow screen', async () => {
    const { page } = await openPage(board.url, { width: 360, height: 740 });
    await page.locator('#now .needs li').first().waitFor();
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(360);
    const narrowest = `Math.min(...[...document.querySelectorAll('tbody th > div')].map((one) => one.clientWidth))`;
    expect(await page.evaluate(narrowest)).toBeGreaterThan(100);
    await page.close();
  });

  test('a page of another origin gets nothing, although it has the token', async () => {
    const before = await everything(board);
    const { page } = await openPage(`http://127.0.0.1:${(evil.address() as AddressInfo).port}/`);
    const target = `http://127.0.0.1:${board.port}`;
    const tried = (await page.evaluate(`(async () => {
      const seen = {};
      const ask = async (name, options) => {
        try {
          const response = await fetch('${target}/state?token=${board.token}', options);
          seen[name] = response.type === 'opaque' ? 'opaque' : await response.text();
        } catch { seen[name] = 'refused'; }
      };
      await ask('fetch', {});
      await ask('no-cors', { mode: 'no-cors' });
      await ask('post', { method: 'POST', body: '{}', mode: 'no-cors' });
      await ask('with the header', { headers: { authorization: 'Bearer ${board.token}' } });
      const ends = (name, thing, good, bad) => new Promise((resolve) => {
        thing['on' + good] = () => { seen[name] = 'got in'; resolve(); };
        thing['on' + bad] = () => { seen[name] = 'refused'; resolve(); };
      });
      await ends('events', new EventSource('${target}/events?token=${board.token}'), 'message', 'error');
      await ends('socket', new WebSocket('ws://127.0.0.1:${board.port}/events?token=${board.token}'), 'open', 'error');
      const image = new Image();
      image.src = '${target}/state?token=${board.token}';
      await ends('image', image, 'load', 'error');
      const script = document.createElement('script');
      script.src = '${target}/page.js?token=${board.token}';
      document.head.append(script);
      await ends('script', script, 'load', 'error');
      return seen;
    })()`)) as Readonly<Record<string, string>>;
    expect(tried).toEqual({
      fetch: 'refused',
      'no-cors': 'refused',
      post: 'refused',
      'with the header': 'refused',
      events: 'refused',
      socket: 'refused',
      image: 'refused',
      script: 'refused',
    });
    // In a frame, and by a form that posts.
    await page.evaluate(`frames[0].location = ${JSON.stringify(board.url)}`);
    await page.evaluate(
      `document.forms[0].action = '${target}/state?token=${board.token}'; document.forms[0].submit()`,
    );
    await page.waitForTimeout(500);
    for (const frame of page.frames().slice(1))
      expect(await frame.content().catch(() => '')).not.toContain('s1a2b3c4d');
    expect(await everything(board)).toBe(before);
    await page.close();
  });

  test('a foreign host name that points to this machine is refused', async () => {
    const { page, status } = await openPage(board.url.replace('127.0.0.1', 'evil.example'));
    expect(status).toBe(421);
    expect(await textOf(page, 'body')).not.toContain('s1a2b3c4d');
    await page.close();
  });
});
