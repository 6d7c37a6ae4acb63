// `foreword xray` with the real pi and a planted set-up: its extensions are modules that it loads into itself.

import { expect, test } from 'vitest';
import { AGENTS } from './field.ts';
import { BIG, OF_HOME, OF_PROJECT, SAME, SKILL, xrayPlanted } from './planted.ts';

const FOUND = 'every planted fault of a set-up is found with its owner, and the home stays as it is';
const CLOCK = 'It is now by the clock of a planted plug-in, in nanoseconds: ';

test.runIf(AGENTS.includes('pi'))(`pi: ${FOUND}`, () => {
  const dropped = 'A message that is returned at the start of a session, which the agent drops without a word.';
  const { one, own, result } = xrayPlanted('pi', ({ home, write }) => {
    const extension = (name: string, code: string) =>
      write(
        `home/.pi/agent/extensions/${name}.ts`,
        `import { readFileSync } from 'node:fs';\nlet told = false;\nexport default function (pi: any) { ${code} }\n`,
      );
    const say = (text: string) => `({ message: { customType: 'planted', content: ${text}, display: true } })`;
    extension(
      'big',
      `pi.on('before_agent_start', () => { if (told) return; told = true;
        return ${say(`readFileSync('${home}/hooks/big.txt', 'utf8')`)}; });`,
    );
    extension(
      'clock',
      `pi.on('before_agent_start', (event: any) => ({ systemPrompt: event.systemPrompt + '\\n${CLOCK}' + process.hrtime.bigint() }));`,
    );
    extension('slow', `pi.on('input', () => new Promise((done) => setTimeout(done, 1200)));`);
    extension('failing', `pi.on('turn_end', () => { throw Error('no such table'); });`);
    extension('dropped', `pi.on('session_start', () => ${say(JSON.stringify(dropped))});`);
    extension('same', `pi.on('before_agent_start', () => ${say(JSON.stringify(SAME))});`);
    extension(
      'many/index',
      `for (let at = 0; at < 40; at += 1) pi.registerTool({ name: 'planted_' + at, label: 'x', description: 'Does the planted thing number ' + at + '.',
        parameters: { type: 'object', properties: { text: { type: 'string' } } }, execute: async () => ({ content: [], details: {} }) });`,
    );
    write(
      'home/project/.pi/extensions/again.ts',
      `export default function (pi: any) { pi.on('before_agent_start', () => ${say(JSON.stringify(SAME))}); }`,
    );
    write(
      'home/.pi/agent/settings.json',
      JSON.stringify({ defaultModel: 'elsewhere', packages: ['npm:some-package'] }),
    );
    write('home/.pi/agent/auth.json', '{"elsewhere":{"type":"api_key","key":"planted"}}');
    write('home/.pi/agent/AGENTS.md', `${OF_HOME}\n`);
    write('home/.pi/agent/skills/planted/SKILL.md', `---\nname: planted\ndescription: ${SKILL}\n---\nBody.\n`);
    write('home/project/AGENTS.md', `${OF_PROJECT}\n`);
  });
  expect(one('lost', 'dropped.ts')).toMatchObject({
    event: 'session_start',
    characters: dropped.length,
    isPlain: false,
  });
  expect(one('slow', 'slow.ts')).toMatchObject({ event: 'input' });
  expect(one('failed', 'failing.ts')).toMatchObject({ event: 'turn_end', exitCode: 1, said: 'no such table' });
  expect(one('twice', 'again.ts')).toMatchObject({ owners: [{ kind: 'plug-in' }, { kind: 'plug-in' }] });
  expect(one('cache', 'clock.ts')).toBeDefined();
  expect(one('skipped', 'some-package')).toBeDefined();
  expect(one('large', 'big.ts')).toBeDefined();
  expect(one('large', 'many/index.ts')).toBeDefined();
  expect(own('big.ts') / BIG.length).toBeCloseTo(1, 2);
  expect(own('extensions/same.ts') / SAME.length).toBeCloseTo(1, 2);
  expect(own('~/.pi/agent/AGENTS.md') / OF_HOME.length).toBeCloseTo(1, 2);
  expect(own('SKILL.md')).toBeGreaterThanOrEqual(SKILL.length);
  const moments = result.requests.map(({ moment }) => moment);
  expect(moments).toEqual(expect.arrayContaining(['compaction', 'after compaction', 'new session']));
  const without = result.cache.withoutEach.filter(
    ({ owner, to }) => owner.name.includes('clock') && to !== 'new session',
  );
  expect(without.map(({ kept, of }) => kept / of)).toEqual(without.map(() => 1));
});
