// `foreword xray` with the real agent and a set-up that wants to do harm with what it says: hooks that print escapes of terminals and
// scripts of pages, a server that dies with them, and a file of instructions that holds them.

import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { labPrograms } from '../../scripts/lab/install.mjs';
import { countUnsafe } from '../../src/kernel/safe-text.ts';
import { AGENTS, COMMAND } from './field.ts';
import { hooksOf } from './planted.ts';

const SCRIPT = `</title></li></td><script>alert(1)</script><img src=x onerror=alert(2)>`;
const HOSTILE = `\u001b]0;owned\u0007\u001b[2J\u009b1A\r\u202e${SCRIPT}"'&\n- forged: nothing was lost.\n`;

test.runIf(AGENTS.includes('claude'))(
  'claude: what a hostile set-up says moves no cursor, writes no line of its own and scripts no page',
  () => {
    const folder = mkdtempSync(join(tmpdir(), 'foreword-real-hostile-'));
    try {
      const home = join(folder, 'home');
      const said = join(home, 'said.txt');
      for (const place of ['project', '.claude']) mkdirSync(join(home, place), { recursive: true });
      writeFileSync(said, HOSTILE.repeat(20));
      const dropped = join(home, 'dropped.txt');
      writeFileSync(dropped, `What the agent drops at a tool, and nothing else says: ${HOSTILE}`);
      const printing = `cat ${said}; : '${HOSTILE}'`;
      const hooks = {
        SessionStart: hooksOf(printing, `cat ${said}`),
        UserPromptSubmit: hooksOf(`cat ${said} >&2; exit 3`),
        PreToolUse: hooksOf(`cat ${dropped}; : '${HOSTILE}'`),
      };
      const dying = { command: '/bin/sh', args: ['-c', `cat ${said} >&2; exit 1`] };
      writeFileSync(join(home, '.claude/settings.json'), JSON.stringify({ hooks }));
      writeFileSync(join(home, '.claude.json'), JSON.stringify({ mcpServers: { [HOSTILE]: dying, dying } }));
      writeFileSync(join(home, 'project/CLAUDE.md'), HOSTILE);
      const run = (...flags: string[]) => xrayIn(folder, flags);
      const table = run();
      const json = run('--json', '--html', join(folder, 'page.html'));
      for (const { status, stdout, stderr } of [table, json]) {
        expect(status, stderr).toBe(0);
        expect(countUnsafe(stdout)).toBe(0);
        expect(countUnsafe(stderr)).toBe(0);
        expect(stdout.split('\n').filter((line) => line.startsWith('- forged'))).toEqual([]);
      }
      // It was shown, and not left out.
      expect(table.stdout).toContain('alert(');
      const { findings } = JSON.parse(json.stdout) as { readonly findings: readonly { readonly kind: string }[] };
      const kinds = findings.map(({ kind }) => kind);
      for (const kind of ['failed', 'twice', 'server-failed']) expect(kinds).toContain(kind);
      const page = readFileSync(join(folder, 'page.html'), 'utf8');
      expect(countUnsafe(page)).toBe(0);
      expect(page).not.toMatch(/<script|<img|<\/title><\/li>/);
      expect(page).toContain('alert(');
      expect(page.match(/<title>/g)).toHaveLength(1);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  },
);

function xrayIn(folder: string, flags: readonly string[]) {
  const { path, program } = labPrograms().claude ?? { path: [], program: '' };
  return spawnSync(process.execPath, [COMMAND, 'xray', 'claude', '--yes', ...flags], {
    cwd: join(folder, 'home/project'),
    env: {
      HOME: join(folder, 'home'),
      PATH: [dirname(program), ...path, '/usr/local/bin', '/usr/bin', '/bin'].join(delimiter),
      XDG_STATE_HOME: join(folder, 'state'),
    },
    encoding: 'utf8',
    timeout: 280_000,
    maxBuffer: 64 * 1024 * 1024,
  });
}
