// `foreword xray` of Claude Code with tools of others from the npm registry beside planted faults. Runs when they are installed
// (scripts/lab/strangers.mjs).

import { cpSync, existsSync, readdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { labFolder, labPins } from '../../scripts/lab/install.mjs';
import { missingStrangers, strangers } from '../../scripts/lab/strangers.mjs';
import { testUnless } from '../skipping.ts';
import { AGENTS } from './field.ts';
import { BIG, hooksOf, IMPORTED, LINES, OF_HOME, SAME, serverCommand, xrayPlanted } from './planted.ts';

const MARKET = 'thedotmack';
const why = AGENTS.includes('claude') ? missingStrangers() : 'claude is not tested';

testUnless(why)('claude: three strangers’ tools beside planted faults, each with its owner', () => {
  const tools = strangers();
  const placeOf = (name: string) => tools[name]?.packages ?? '';
  const memory = tools['claude-mem'];
  const bun = join(placeOf('claude-mem'), '@oven');
  const bunFolders = existsSync(bun) ? readdirSync(bun).map((name) => join(bun, name, 'bin')) : [];
  const { node24 } = labPins();
  const own24 = join(labFolder(), 'node24', node24?.version ?? '', 'node_modules', node24?.program ?? '');
  const node = existsSync(own24) ? own24 : process.execPath;
  const guard = `${node} ${placeOf('tdd-guard')}/tdd-guard/dist/cli/tdd-guard.js`;
  const net = `${node} ${placeOf('cc-safety-net')}/cc-safety-net/dist/bin/cc-safety-net.js hook --claude-code`;
  const { result, one, own } = xrayPlanted(
    'claude',
    ({ home, write }) => {
      const hooks = {
        SessionStart: hooksOf(guard, LINES.big(home), LINES.time),
        UserPromptSubmit: hooksOf(guard, LINES.slow, LINES.failing, LINES.same, LINES.again),
        PreToolUse: hooksOf(net, LINES.dropped),
      };
      const plugIn = `.claude/plugins/cache/${MARKET}/claude-mem/${memory?.version}`;
      // As the agent's own commands leave them.
      const id = `claude-mem@${MARKET}`;
      const market = `.claude/plugins/marketplaces/${MARKET}`;
      const source = { source: 'directory', path: join(home, market) };
      const plugins = [{ name: 'claude-mem', version: memory?.version, source: './plugin' }];
      const json = {
        '.claude/settings.json': {
          hooks,
          enabledPlugins: { [id]: true },
          extraKnownMarketplaces: { [MARKET]: { source } },
        },
        '.claude/plugins/installed_plugins.json': {
          version: 2,
          plugins: { [id]: [{ scope: 'user', installPath: join(home, plugIn), version: memory?.version }] },
        },
        '.claude/plugins/known_marketplaces.json': { [MARKET]: { source, installLocation: join(home, market) } },
        [`${market}/.claude-plugin/marketplace.json`]: { name: MARKET, owner: { name: 'a person' }, plugins },
        [`${market}/plugin/.claude-plugin/plugin.json`]: { name: 'claude-mem', version: memory?.version },
      };
      for (const [path, value] of Object.entries(json)) write(`home/${path}`, JSON.stringify(value));
      const from = join(placeOf('claude-mem'), 'claude-mem/plugin');
      cpSync(from, join(home, plugIn), {
        recursive: true,
        filter: (path) => !path.startsWith(join(from, 'node_modules')),
      });
      symlinkSync(join(from, 'node_modules'), join(home, plugIn, 'node_modules'));
      const [command, script] = serverCommand(home);
      write('home/.claude.json', JSON.stringify({ mcpServers: { many: { command, args: [script] } } }));
      write('home/.claude/CLAUDE.md', `${OF_HOME}\n\n@imported.md\n`);
      write('home/.claude/imported.md', `${IMPORTED}\n`);
    },
    { path: bunFolders },
  );
  // By tool: characters that it brought, without what the agent wrote around them.
  const parts = result.requests[0]?.parts.filter(({ owner }) => (owner.plugIn ?? owner.name) === 'claude-mem') ?? [];
  const size = (kind: string) => {
    const part = parts.find(({ owner }) => owner.kind === kind);
    return (part?.characters ?? 0) - (part?.frame ?? 0);
  };
  const hooksIn = (words: string) => result.hooks.filter(({ owner }) => owner.name.includes(words));
  const [context] = hooksIn('hook claude-code context').filter(({ runs }) => runs > 0);
  expect(context).toMatchObject({ event: 'SessionStart', owner: { plugIn: 'claude-mem' }, failed: 0 });
  // The same text at each start.
  expect(size('hook') / ((context?.printed ?? 0) / (context?.runs ?? 1))).toBeCloseTo(1, 2);
  expect(size('plug-in')).toBeGreaterThan(4000);
  expect(result.servers).toMatchObject([
    { owner: { kind: 'server', name: 'mcp-search', plugIn: 'claude-mem' } },
    { owner: { kind: 'server', name: 'many' }, tools: 40 },
  ]);
  const ofMemory = result.servers[0];
  expect(ofMemory?.tools).toBeGreaterThan(5);
  // Its model is given the names of the tools alone.
  expect(size('server')).toBeGreaterThan((ofMemory?.tools ?? 0) * 'mcp__plugin_claude-mem_mcp-search__'.length);
  expect(hooksIn('tdd-guard.js').map(({ event, runs }) => [event, runs > 0])).toEqual([
    ['SessionStart', true],
    ['UserPromptSubmit', true],
  ]);
  expect(hooksIn('cc-safety-net.js')).toMatchObject([{ event: 'PreToolUse', failed: 0 }]);
  expect(one('cut', 'big.txt')).toMatchObject({ event: 'SessionStart', of: BIG.length });
  expect(one('cache', 'It is now')).toBeDefined();
  expect(one('slow', LINES.slow)).toBeDefined();
  expect(one('failed', 'exit 3')).toBeDefined();
  expect(one('lost', 'which the agent drops')).toBeDefined();
  expect(one('twice', 'printf')).toBeDefined();
  expect(own(LINES.same) / SAME.length).toBeCloseTo(1, 2);
  expect(own('imported.md') / IMPORTED.length).toBeCloseTo(1, 2);
});
