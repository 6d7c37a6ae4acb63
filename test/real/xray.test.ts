// `foreword xray` with the real Claude Code and a planted set-up: every planted fault is found, with the right owner and size, and nothing of the
// home is written.

import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { lstatSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { labPrograms } from '../../scripts/lab/install.mjs';
import type { XrayFinding } from '../../src/verify/xray/findings.ts';
import type { XrayResult } from '../../src/verify/xray/result.ts';
import { AGENTS, COMMAND, figure } from './field.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'foreword-real-xray-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const BIG = Array.from({ length: 400 }, (_, line) => `rule ${line}: the planted text goes on and on.`)
  .join('\n')
  .slice(0, 11_999)
  .concat('.');
const SAME = 'Never push to main, say both of the two hooks of this set-up.';
const IMPORTED = 'An imported file with a sentence of its own, and nothing else in it.';

/** A server with 40 tools, on standard input and output. */
const SERVER = `
const tools = Array.from({ length: 40 }, (_, at) => ({ name: 'tool_' + at, description: 'Does the planted thing number ' + at + '.',
  inputSchema: { type: 'object', properties: { text: { type: 'string' } } } }));
require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method, params } = JSON.parse(line);
  if (id === undefined) return;
  const hello = () => ({ protocolVersion: params.protocolVersion, capabilities: { tools: {} }, serverInfo: { name: 'many', version: '1' } });
  const result = method === 'initialize' ? hello() : method === 'tools/list' ? { tools } : {};
  console.log(JSON.stringify({ jsonrpc: '2.0', id, result }));
});
`;

function write(path: string, text: string): void {
  mkdirSync(dirname(join(folder, path)), { recursive: true });
  writeFileSync(join(folder, path), text);
}

function plant(): void {
  const at = (...commands: string[]) => commands.map((command) => ({ hooks: [{ type: 'command', command }] }));
  const home = join(folder, 'home');
  const hooks = {
    SessionStart: at(`cat ${home}/hooks/big.txt`, 'echo "It is now $(date +%s%N) by the clock of a planted hook"'),
    UserPromptSubmit: at('sleep 1.2', 'echo no such table >&2; exit 3', `echo '${SAME}'`, `printf '%s\\n' '${SAME}'`),
    PreToolUse: at('echo "plain text at a tool, which the agent drops"'),
  };
  write('home/hooks/big.txt', BIG);
  write('home/hooks/server.cjs', SERVER);
  write('home/.claude/settings.json', JSON.stringify({ hooks, env: { ANTHROPIC_BASE_URL: 'https://else.invalid' } }));
  write('home/.claude/.credentials.json', '{"claudeAiOauth":{"accessToken":"planted"}}');
  write(
    'home/.claude.json',
    JSON.stringify({ mcpServers: { many: { command: process.execPath, args: [`${home}/hooks/server.cjs`] } } }),
  );
  write('home/.claude/CLAUDE.md', 'Answer briefly, says the file of the home.\n\n@imported.md\n');
  write('home/.claude/imported.md', `${IMPORTED}\n`);
  write('home/project/CLAUDE.md', 'The project wants tabs and short sentences.\n');
  write('home/project/readme.txt', 'one two three\n');
}

/** Every file of the home, by content. */
function snapshot(path: string): readonly string[] {
  return readdirSync(path, { recursive: true, encoding: 'utf8' })
    .sort()
    .map((name) => {
      const stat = lstatSync(join(path, name));
      const content = stat.isFile()
        ? createHash('sha256')
            .update(readFileSync(join(path, name)))
            .digest('hex')
        : '';
      return `${name} ${stat.mode} ${content}`;
    });
}

test.runIf(AGENTS.includes('claude'))(
  'every planted fault of a set-up is found with its owner, and the home stays as it is',
  () => {
    plant();
    const home = join(folder, 'home');
    const before = snapshot(home);
    const { path, program } = labPrograms().claude ?? { path: [], program: '' };
    const env = {
      HOME: home,
      PATH: [dirname(program), ...path, '/usr/local/bin', '/usr/bin', '/bin'].join(delimiter),
      XDG_STATE_HOME: join(folder, 'state'),
    };
    const page = join(folder, 'xray.html');
    const ran = spawnSync(process.execPath, [COMMAND, 'xray', 'claude', '--yes', '--json', '--html', page], {
      cwd: join(home, 'project'),
      env,
      encoding: 'utf8',
      timeout: 280_000,
      maxBuffer: 64 * 1024 * 1024,
    });
    expect(ran.status, ran.stderr).toBe(0);
    expect(snapshot(home)).toEqual(before);
    const result = JSON.parse(ran.stdout) as XrayResult & { readonly ms: number };
    figure('claude', 'xray of a planted set-up', result.ms);
    expect(result.missed).toEqual([]);

    for (const { moment, characters, parts } of result.requests) {
      expect(
        parts.reduce((sum, part) => sum + part.characters, 0),
        moment,
      ).toBe(characters);
      const unknown = parts.find(({ owner }) => owner.kind === 'unknown')?.characters ?? 0;
      expect(unknown / characters, moment).toBeLessThan(0.01);
    }
    const one = (kind: XrayFinding['kind'], name: string) =>
      result.findings.find(
        (finding) =>
          finding.kind === kind &&
          JSON.stringify('owners' in finding ? finding.owners : 'owner' in finding ? finding.owner : '').includes(name),
      );
    expect(one('cut', 'big.txt')).toMatchObject({ event: 'SessionStart', of: BIG.length });
    expect(one('cache', 'It is now')).toMatchObject({ step: { from: 'first prompt', to: 'new session' } });
    expect(one('slow', 'sleep 1.2')).toMatchObject({ event: 'UserPromptSubmit' });
    expect(one('failed', 'exit 3')).toMatchObject({ exitCode: 3, said: 'no such table' });
    expect(one('lost', 'which the agent drops')).toMatchObject({ event: 'PreToolUse', isPlain: true });
    expect(one('twice', 'printf')).toMatchObject({ owners: [{ kind: 'hook' }, { kind: 'hook' }] });
    expect(result.servers).toMatchObject([{ owner: { kind: 'server', name: 'many' }, tools: 40 }]);

    const [first] = result.requests;
    const own = (name: string) => {
      const part = first?.parts.find(({ owner }) => owner.name.includes(name));
      return (part?.characters ?? 0) - (part?.frame ?? 0);
    };
    expect(own('imported.md') / IMPORTED.length).toBeCloseTo(1, 2);
    expect(own(`echo '${SAME}'`) / SAME.length).toBeCloseTo(1, 2);
    const cut = one('cut', 'big.txt');
    expect(cut?.kind === 'cut' ? cut.characters / 2000 : 0).toBeCloseTo(1, 1);
    expect(result.cache.steps.slice(0, -1).every(({ broken }) => broken === undefined)).toBe(true);
    expect(readFileSync(page, 'utf8')).toContain('<h1>The hook');
  },
);
