// The page in a real browser: it shows what is there, follows what happens, keeps to its policy, and takes hostile text for
// text. A page of somebody else in the same browser gets nothing, even if it knew the token.

import { existsSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type Browser, chromium, type Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { record, run } from '../../src/stores/contract/samples.ts';
import { type Board, everything, HOSTILE, openBoard } from './field.ts';

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
