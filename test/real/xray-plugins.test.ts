// `foreword xray` of Claude Code with five plug-ins that its own commands installed from a marketplace of this machine.

import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { labPrograms } from '../../scripts/lab/install.mjs';
import { AGENTS } from './field.ts';
import { type Field, hooksOf, OF_PROJECT, SAME, SKILL, xrayPlanted } from './planted.ts';

const RULES = 'The plug-in with the rules wants every commit to name the reason for the change in its body.';
const AGENT = 'Reviews every change for planted faults, and says nothing else about it.';

/** Otherwise the agent gives its model the names of such tools alone. */
const ENV = { ENABLE_TOOL_SEARCH: 'false' };

/** Its only tool says what time it is, and it says again and again that its tools have changed. */
const CLOCK = `
const said = (message) => console.log(JSON.stringify({ jsonrpc: '2.0', ...message }));
const tools = () => [{ name: 'clock', description: 'By this clock it is now ' + process.hrtime.bigint() + ' nanoseconds.', inputSchema: { type: 'object' } }];
require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method, params } = JSON.parse(line);
  if (id === undefined) return;
  const hello = () => ({ protocolVersion: params.protocolVersion, capabilities: { tools: { listChanged: true } }, serverInfo: { name: 'clock', version: '1' } });
  said({ id, result: method === 'initialize' ? hello() : method === 'tools/list' ? { tools: tools() } : {} });
});
setInterval(() => said({ method: 'notifications/tools/list_changed' }), 1000).unref();
`;

test.runIf(AGENTS.includes('claude'))(
  'claude: what each of five plug-ins brings has its plug-in as the owner, and the next xray says what has changed',
  () => {
    const names = ['rules', 'clock', 'slow', 'skilled', 'prompting'];
    const plant = ({ home, write }: Field) => {
      const market = join(home, 'market');
      const plugIn = (name: string, path: string, value: unknown) =>
        write(`home/market/${name}/${path}`, typeof value === 'string' ? value : JSON.stringify(value));
      const plugins = names.map((name) => ({ name, source: `./${name}`, description: name }));
      plugIn('.claude-plugin', 'marketplace.json', { name: 'local', owner: { name: 'a person' }, plugins });
      for (const name of names) plugIn(name, '.claude-plugin/plugin.json', { name, version: '1.0.0' });
      plugIn('rules', 'hooks/hooks.json', { hooks: { SessionStart: hooksOf(`echo '${RULES}'`) } });
      plugIn('clock', '.mcp.json', {
        // biome-ignore lint/suspicious/noTemplateCurlyInString: the agent fills it in.
        mcpServers: { time: { command: process.execPath, args: ['${CLAUDE_PLUGIN_ROOT}/server.cjs'] } },
      });
      plugIn('clock', 'server.cjs', CLOCK);
      plugIn('slow', 'hooks/hooks.json', { hooks: { PreToolUse: hooksOf('sleep 1.2') } });
      plugIn('skilled', 'skills/planted/SKILL.md', `---\nname: planted\ndescription: ${SKILL}\n---\nBody.\n`);
      plugIn('skilled', 'agents/reviewer.md', `---\nname: reviewer\ndescription: ${AGENT}\n---\nReview it.\n`);
      plugIn('prompting', 'hooks/hooks.json', { hooks: { UserPromptSubmit: hooksOf(`echo '${SAME}'`, 'exit 3') } });
      write('home/.claude/settings.json', JSON.stringify({ env: ENV }));
      const { program = '' } = labPrograms().claude ?? {};
      const run = (...args: readonly string[]) =>
        execFileSync(program, ['plugin', ...args], { env: { HOME: home, PATH: process.env.PATH }, stdio: 'pipe' });
      run('marketplace', 'add', market);
      for (const name of names) run('install', `${name}@local`);
    };
    const { result, one, second } = xrayPlanted('claude', plant, {
      change: ({ write }) => {
        const enabledPlugins = Object.fromEntries(names.map((name) => [`${name}@local`, name !== 'rules']));
        write('home/.claude/settings.json', JSON.stringify({ env: ENV, enabledPlugins }));
        write('home/project/CLAUDE.md', `${OF_PROJECT}\n`);
      },
    });
    const [first] = result.requests;
    const size = (name: string) => {
      const parts = (first?.parts ?? []).filter(({ owner }) => (owner.plugIn ?? owner.name) === name);
      return parts.reduce((sum, { characters, frame }) => sum + characters - frame, 0);
    };
    expect(size('rules') / RULES.length).toBeCloseTo(1, 2);
    expect(size('prompting') / SAME.length).toBeCloseTo(1, 2);
    expect(size('skilled')).toBeGreaterThanOrEqual(SKILL.length + AGENT.length);
    expect(one('slow', 'sleep')).toMatchObject({ event: 'PreToolUse', owner: { plugIn: 'slow' } });
    expect(one('failed', 'exit 3')).toMatchObject({ exitCode: 3, owner: { plugIn: 'prompting' } });
    expect(result.servers).toMatchObject([{ owner: { kind: 'server', name: 'time', plugIn: 'clock' }, tools: 1 }]);
    // Within a session the agent goes on with the tools as they were at first.
    expect(one('cache', 'time')).toMatchObject({ owner: { plugIn: 'clock' }, step: { broken: { place: 'tools' } } });
    expect(result.since).toBeUndefined();
    const changes = (second?.result.since?.by ?? []).map(({ owner, tokens }) => [owner.plugIn ?? owner.name, tokens]);
    expect(changes).toContainEqual(['rules', expect.any(Number)]);
    const [[, lost] = []] = changes.filter(([name]) => name === 'rules');
    expect(Number(lost)).toBeLessThan(-RULES.length / 4);
    expect(changes).toContainEqual(['CLAUDE.md', expect.any(Number)]);
    expect(second?.page).toMatch(/Since your last xray \(.*\): .*\+\d+ tokens by CLAUDE\.md/);
  },
);
