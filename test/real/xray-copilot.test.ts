// `foreword xray` with the real GitHub Copilot CLI and a planted set-up. Its hooks name their line as `bash`, in files of their own. It gives its model what
// they say as JSON; it has no imports in instruction files.

import { expect, test } from 'vitest';
import { AGENTS } from './field.ts';
import { BIG, LINES, OF_HOME, OF_PROJECT, SAME, serverCommand, xrayPlanted } from './planted.ts';

const DROPPED = 'A text at the end of a turn, which the agent drops without a word.';

function asJson(text: string): string {
  return JSON.stringify({ additionalContext: text });
}

function linesOf(...lines: readonly string[]): readonly object[] {
  return lines.map((bash) => ({ type: 'command', bash }));
}

test.runIf(AGENTS.includes('copilot'))(
  'copilot: every planted fault of a set-up is found with its owner, and the home stays as it is',
  () => {
    const same = asJson(SAME);
    const { result, one, own, page } = xrayPlanted('copilot', ({ home, write }) => {
      const hooks = {
        sessionStart: linesOf(`cat ${home}/hooks/big.json`),
        userPromptSubmitted: linesOf(
          LINES.slow,
          'echo no such table >&2; exit 1',
          `echo '${same}'`,
          `printf '%s\\n' '${same}'`,
        ),
        agentStop: linesOf(`echo '${asJson(DROPPED)}'`),
      };
      write('home/hooks/big.json', asJson(BIG));
      write('home/.copilot/hooks/planted.json', JSON.stringify({ version: 1, hooks }));
      const [command, script] = serverCommand(home);
      const servers = { many: { type: 'local', command, args: [script], tools: ['*'] } };
      write('home/.copilot/mcp-config.json', JSON.stringify({ mcpServers: servers }));
      write('home/.copilot/config.json', '{"copilotTokens":{"planted":"ghu_planted"},"trustedFolders":[]}');
      write('home/.copilot/copilot-instructions.md', `${OF_HOME}\n`);
      write('home/project/.github/copilot-instructions.md', `${OF_PROJECT}\n`);
      const clock = asJson('It is now %s by the clock of a planted hook');
      const source = { source: 'directory', path: `${home}/market` };
      const settings = { extraKnownMarketplaces: { own: { source } }, enabledPlugins: { 'clock@own': true } };
      write('home/.copilot/settings.json', JSON.stringify(settings));
      const plugins = [{ name: 'clock', source: './clock', description: 'a clock' }];
      const market = { name: 'own', owner: { name: 'planted' }, plugins };
      write('home/market/.claude-plugin/marketplace.json', JSON.stringify(market));
      const manifest = { name: 'clock', version: '1.0.0', description: 'a clock', hooks: 'hooks/hooks.json' };
      write('home/market/clock/.plugin/plugin.json', JSON.stringify(manifest));
      const ofClock = { sessionStart: linesOf(`printf '${clock}' "$(date +%s%N)"`) };
      write('home/market/clock/hooks/hooks.json', JSON.stringify({ version: 1, hooks: ofClock }));
      const ofProject = { postToolUse: linesOf('echo "a log that nobody misses"') };
      write('home/project/.github/hooks/own.json', JSON.stringify({ version: 1, hooks: ofProject }));
    });
    expect(one('lost', DROPPED)).toMatchObject({ event: 'agentStop', characters: DROPPED.length, isPlain: false });
    expect(one('lost', 'nobody misses')).toMatchObject({ event: 'postToolUse', isPlain: true });
    expect(one('slow', LINES.slow)).toMatchObject({ event: 'userPromptSubmitted' });
    expect(one('failed', 'exit 1')).toMatchObject({ event: 'userPromptSubmitted', exitCode: 1, said: 'no such table' });
    expect(one('twice', 'printf')).toMatchObject({ owners: [{ kind: 'hook' }, { kind: 'hook' }] });
    expect(one('cache', 'It is now')).toMatchObject({
      owner: { plugIn: 'clock' },
      step: { from: 'first prompt', to: 'new session' },
    });
    expect(one('large', 'big.json')).toBeDefined();
    // Less than a tenth of the first request.
    expect(own('many')).toBeGreaterThan(40 * 'Does the planted thing number 1.'.length);
    expect(result.servers).toMatchObject([{ owner: { kind: 'server', name: 'many' }, tools: 40 }]);
    expect(own('big.json') / BIG.length).toBeCloseTo(1, 2);
    expect(own(`echo '${same}`) / SAME.length).toBeCloseTo(1, 2);
    expect(own('~/.copilot/copilot-instructions.md') / OF_HOME.length).toBeCloseTo(1, 2);
    expect(own('.github/copilot-instructions.md') / OF_PROJECT.length).toBeCloseTo(1, 2);
    const moments = result.requests.map(({ moment }) => moment);
    expect(moments).toContain('sub-agent');
    expect(moments).toContain('compaction');
    expect(result.cache.steps.slice(0, -1).every(({ broken }) => broken === undefined)).toBe(true);
    expect(page).toContain('<h1>');
  },
);
