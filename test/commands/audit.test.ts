// `foreword audit` as a person calls it.

import { appendFileSync, existsSync, readFileSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { countUnsafe } from '../../src/kernel/safe-text.ts';
import { AuditHome, ClaudeSession, RULES } from '../audit/home.ts';
import { foreword, type Ran } from '../foreword.ts';
import { IS_LONG } from '../scale.ts';

let home: AuditHome;
beforeEach(() => {
  home = new AuditHome();
});
afterEach(() => home.remove());

const PLACE = '.claude/projects/-home-ada-shop/s-1.jsonl';

function run(...args: string[]): Promise<Ran> {
  const env = { HOME: home.path, FOREWORD_SHOP_TOKEN: 'hunter2hunter2' };
  return foreword(['audit', ...args], { cwd: home.path, env });
}

function lossy(): ClaudeSession {
  return new ClaudeSession().hook('SessionStart', RULES, { served: null }).prompt('go').tool('Read').edit().say('ok');
}

test('says first what was lost, and shows the figures', async () => {
  home.write(PLACE, lossy().text());
  const { status, stdout, stderr } = await run();
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  expect(stdout).toContain(
    '- claude 2.1.325, terminal: 1 text of the hook "remember.sh" at SessionStart was printed and never reached the model.',
  );
  expect(stdout).toMatch(/claude +2\.1\.325 +terminal +1 +1 +2 +1 +0/);
  expect(stdout).toMatch(/claude +2\.1\.325 +terminal +a start +1 +1 +1; 1/);
  expect(existsSync(join(home.path, '.local'))).toBe(false);
});

test('prints the same for a program', async () => {
  home.write(PLACE, lossy().text());
  const { status, stdout } = await run('claude', '--json');
  const { groups, findings, files } = JSON.parse(stdout);
  expect({ status, files }).toEqual({ status: 0, files: 1 });
  expect(findings).toEqual([
    {
      agent: 'claude',
      version: '2.1.325',
      entry: 'terminal',
      kind: 'lost',
      event: 'SessionStart',
      command: 'remember.sh',
      during: 'start',
      count: 1,
      example: 's-1',
    },
  ]);
  expect(groups[0].reorientation.start).toMatchObject({ beginnings: 1, edited: 1 });
});

test('writes a page without a script, and without a secret of this machine', async () => {
  const session = lossy().add({
    type: 'attachment',
    attachment: {
      type: 'hook_non_blocking_error',
      hookEvent: 'Stop',
      exitCode: 1,
      command: 'curl -H hunter2hunter2 <b>',
    },
  });
  home.write(PLACE, session.text());
  const { status, stdout } = await run('--html', 'page.html');
  expect({ status, stdout }).toMatchObject({ status: 0, stdout: expect.stringContaining('page.html: 1 conversation') });
  const page = readFileSync(join(home.path, 'page.html'), 'utf8');
  expect(page).toContain('never reached the model');
  expect(page).toContain('&lt;b&gt;');
  expect(page).not.toMatch(/hunter2|<script|<b>/);
});

test('sessions that were not written to since then are left out', async () => {
  const path = home.write(PLACE, lossy().text());
  utimesSync(path, 1, 1);
  expect(JSON.parse((await run('--json')).stdout)).toMatchObject({ files: 0, groups: [], findings: [] });
  expect((await run()).stdout).toContain('0 conversation(s)');
});

test('wrong words are named with what is right', async () => {
  expect(await run('--since', 'yesterday')).toMatchObject({
    status: 2,
    stderr: expect.stringContaining('such as 24h or 30d'),
  });
  expect(await run('clade')).toMatchObject({ status: 2, stderr: expect.stringContaining('Did you mean claude?') });
  expect(await run('--html', 'missing/page.html')).toMatchObject({
    status: 2,
    stderr: expect.stringContaining('could not be written'),
  });
});

test(`${IS_LONG ? 400 : 20} MB are read with little memory`, async () => {
  const turn = new ClaudeSession().prompt('go');
  for (let times = 0; times < 200; times += 1) turn.tool('Read').say('x'.repeat(2000));
  const path = home.write(PLACE, '');
  const text = turn.text();
  const copies = Math.ceil(((IS_LONG ? 400 : 20) * 1e6) / text.length);
  for (let copy = 0; copy < copies; copy += 1) appendFileSync(path, text);
  // 400 MB do not fit into it.
  const { status, stdout } = await foreword(['audit', '--json'], {
    cwd: home.path,
    env: { HOME: home.path, NODE_OPTIONS: '--max-old-space-size=96' },
  });
  expect(status).toBe(0);
  expect(JSON.parse(stdout).groups[0]).toMatchObject({ sessions: 1, agent: 'claude' });
});

const HOSTILE = `</li><script>alert(1)</script>\u001b]0;owned\u0007\u001b[2J\u009b1A\r\u202e"'&\n- forged: nothing was lost.`;

test('what a hostile transcript says moves no cursor, writes no line of its own and scripts no page', async () => {
  const session = new ClaudeSession({ session: HOSTILE, version: HOSTILE, entry: HOSTILE, cwd: HOSTILE })
    .hook(HOSTILE, RULES, { name: HOSTILE, exitCode: 1 })
    .add({
      type: 'attachment',
      attachment: { type: 'hook_success', hookEvent: HOSTILE, command: HOSTILE, stdout: HOSTILE, exitCode: 0 },
    })
    .prompt(HOSTILE)
    .say(HOSTILE);
  home.write(PLACE, session.text());
  home.write(PLACE.replace('s-1', 's-2'), `${HOSTILE}\n`);
  const [table, json, page] = [await run(), await run('--json'), await run('--html', 'page.html')];
  for (const { status, stdout, stderr } of [table, json, page]) {
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    expect(countUnsafe(stdout)).toBe(0);
    expect(stdout.split('\n').filter((line) => line.startsWith('- forged'))).toEqual([]);
  }
  expect(JSON.parse(json.stdout).findings.length).toBeGreaterThan(1);
  const html = readFileSync(join(home.path, 'page.html'), 'utf8');
  expect(countUnsafe(html)).toBe(0);
  expect(html).not.toContain('<script');
  expect(html).toContain('&lt;script&gt;');
});
