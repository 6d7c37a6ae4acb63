// `foreword xray` with the real Qwen Code and a planted set-up. What hooks print before a tool it drops; an exit code of 2 keeps a prompt back.

import { expect, test } from 'vitest';
import { AGENTS } from './field.ts';
import { BIG, hooksOf, IMPORTED, LINES, OF_HOME, OF_PROJECT, SAME, serverCommand, xrayPlanted } from './planted.ts';

const DROPPED = 'A text at a tool, which the agent drops without a word.';
const OF_EXTENSION = 'The extension wants every commit to name the reason for the change in its body.';

function asJson(event: string, text: string): string {
  return JSON.stringify({ hookSpecificOutput: { hookEventName: event, additionalContext: text } });
}

test.runIf(AGENTS.includes('qwen'))(
  'qwen: every planted fault of a set-up is found with its owner, and the home stays as it is',
  () => {
    const same = asJson('UserPromptSubmit', SAME);
    const { result, one, own, page } = xrayPlanted('qwen', ({ home, write }) => {
      const hooks = {
        SessionStart: hooksOf(`cat ${home}/hooks/big.json`),
        UserPromptSubmit: hooksOf(
          LINES.slow,
          'echo no such table >&2; exit 1',
          `echo '${same}'`,
          `printf '%s\\n' '${same}'`,
        ),
        PreToolUse: hooksOf(`echo '${asJson('PreToolUse', DROPPED)}'`),
        Stop: hooksOf('echo "a log that nobody misses"'),
      };
      write('home/hooks/big.json', asJson('SessionStart', BIG));
      const [command, script] = serverCommand(home);
      const settings = {
        hooks,
        mcpServers: { many: { command, args: [script] } },
      };
      write('home/.qwen/settings.json', JSON.stringify(settings));
      write('home/.qwen/oauth_creds.json', '{"access_token":"planted"}');
      write('home/.qwen/QWEN.md', `${OF_HOME}\n\n@./imported.md\n`);
      write('home/.qwen/imported.md', `${IMPORTED}\n`);
      write('home/project/QWEN.md', `${OF_PROJECT}\n`);
      const clock = asJson('SessionStart', 'It is now %s by the clock of a planted hook');
      write('home/.qwen/extensions/clock/qwen-extension.json', '{"name":"clock","version":"1.0.0"}');
      write('home/.qwen/extensions/clock/QWEN.md', `${OF_EXTENSION}\n`);
      write(
        'home/.qwen/extensions/clock/hooks/hooks.json',
        JSON.stringify({ hooks: { SessionStart: hooksOf(`printf '${clock}' "$(date +%s%N)"`) } }),
      );
    });
    expect(one('lost', 'PreToolUse')).toMatchObject({
      event: 'PreToolUse',
      characters: DROPPED.length,
      isPlain: false,
    });
    expect(one('lost', 'nobody misses')).toMatchObject({ event: 'Stop', isPlain: true });
    expect(one('slow', LINES.slow)).toMatchObject({ event: 'UserPromptSubmit' });
    expect(one('failed', 'exit 1')).toMatchObject({ event: 'UserPromptSubmit', exitCode: 1, said: 'no such table' });
    expect(one('twice', 'printf')).toMatchObject({ owners: [{ kind: 'hook' }, { kind: 'hook' }] });
    expect(one('cache', 'It is now')).toMatchObject({
      owner: { plugIn: 'clock' },
      step: { from: 'first prompt', to: 'new session' },
    });
    expect(one('large', 'big.json')).toBeDefined();
    // It names the tools of a server and leaves their descriptions out until its model asks for them.
    expect(own('many')).toBeGreaterThan(40 * 'mcp__many__tool'.length);
    expect(result.servers).toMatchObject([{ owner: { kind: 'server', name: 'many' }, tools: 40 }]);
    expect(own('big.json') / BIG.length).toBeCloseTo(1, 2);
    expect(own(`echo '${same}`) / SAME.length).toBeCloseTo(1, 2);
    expect(own('imported.md') / IMPORTED.length).toBeCloseTo(1, 2);
    // Up to the import, with the empty line before it.
    expect(own('~/.qwen/QWEN.md') / `${OF_HOME}\n\n`.length).toBeCloseTo(1, 2);
    const ofExtension = result.requests[0]?.parts.find(({ owner }) => owner.kind === 'plug-in');
    expect(ofExtension?.owner.name).toBe('clock');
    expect(((ofExtension?.characters ?? 0) - (ofExtension?.frame ?? 0)) / OF_EXTENSION.length).toBeCloseTo(1, 2);
    // The sub-agent has a conversation of its own.
    const moments = result.requests.map(({ moment }) => moment);
    expect(moments.filter((moment) => moment === 'sub-agent')).toHaveLength(1);
    expect(moments.filter((moment) => moment === 'compaction')).toHaveLength(1);
    expect(result.cache.steps.slice(0, -1).every(({ broken }) => broken === undefined)).toBe(true);
    expect(page).toContain('<h1>');
  },
);
