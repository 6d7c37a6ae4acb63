// `foreword xray` with the real OpenCode and a planted set-up: its plug-ins are modules that it loads into itself.

import { expect, test } from 'vitest';
import { AGENTS } from './field.ts';
import { BIG, OF_HOME, OF_PROJECT, SAME, SKILL, serverCommand, xrayPlanted } from './planted.ts';

const FOUND = 'every planted fault of a set-up is found with its owner, and the home stays as it is';
const CLOCK = 'It is now by the clock of a planted plug-in, in nanoseconds: ';
const LISTED = 'A plug-in that the settings list wants every commit to name the reason for its change.';
const TOLD = 'A message that a plug-in sends by itself when a session begins, and nobody asked for it.';
const OF_AGENT = 'Reviews changes for planted faults, and answers in one short sentence.';
const NAMED = 'An instruction file that the settings name by its path, in a folder of its own.';

test.runIf(AGENTS.includes('opencode'))(`opencode: ${FOUND}`, () => {
  const dropped = 'A text that is added where OpenCode runs a command of the person, which does not happen here.';
  const { one, own, result } = xrayPlanted('opencode', ({ home, write }) => {
    const plugIn = (path: string, hooks: string, before = '') =>
      write(
        `home/${path}`,
        `import { readFileSync } from 'node:fs';\nexport const Planted = async ({ client }: any) => { ${before} return { ${hooks} }; };\n`,
      );
    const push = (text: string) =>
      `output.parts.push({ ...output.parts.at(-1), id: output.parts.at(-1).id + 'x', text: ${text}, synthetic: true });`;
    const message = (text: string, before = '') =>
      `'chat.message': async (_: any, output: any) => { ${before} ${push(text)} }`;
    const folder = '.config/opencode/plugins';
    plugIn(
      `${folder}/big.ts`,
      message(`readFileSync('${home}/hooks/big.txt', 'utf8')`, 'if (told) return; told = true;'),
      'let told = false;',
    );
    plugIn(
      `${folder}/clock.ts`,
      `'experimental.chat.system.transform': async (_: any, output: any) => { output.system.push('${CLOCK}' + process.hrtime.bigint()); }`,
    );
    plugIn(`${folder}/slow.ts`, `'chat.params': () => new Promise((done) => setTimeout(done, 1200))`);
    plugIn(
      `${folder}/failing.ts`,
      `event: async ({ event }: any) => { if (event.type === 'session.idle') throw Error('no such table'); }`,
    );
    plugIn(`${folder}/same.ts`, message(JSON.stringify(SAME)));
    plugIn(
      `${folder}/dropped.ts`,
      `'experimental.compaction.autocontinue': async () => undefined, 'experimental.text.complete': async () => undefined,
       'tool.execute.before': async (_: any, output: any) => { output.description = ${JSON.stringify(dropped)}; }`,
    );
    plugIn(
      `${folder}/many.ts`,
      `tool: Object.fromEntries(Array.from({ length: 40 }, (_, at) => ['planted_' + at, {
         description: 'Does the planted thing number ' + at + '.', args: {}, execute: async () => 'done' }]))`,
    );
    plugIn(
      `${folder}/sends.ts`,
      `event: async ({ event }: any) => {
         if (event.type !== 'session.created' || event.properties.info.parentID) return;
         await client.session.prompt({ path: { id: event.properties.info.id }, body: { noReply: true, parts: [{ type: 'text', text: ${JSON.stringify(TOLD)} }] } }); }`,
    );
    write(
      'home/.config/opencode/tools/counter.ts',
      `export default { description: 'Counts what was planted in a home.', args: {}, execute: async () => '3' };\n`,
    );
    plugIn(
      'mine/listed.ts',
      `'experimental.chat.system.transform': async (_: any, output: any) => { output.system.push(${JSON.stringify(LISTED)}); }`,
    );
    plugIn('project/.opencode/plugins/again.ts', message(JSON.stringify(SAME)));
    const [command, script] = serverCommand(home);
    write(
      'home/.config/opencode/opencode.jsonc',
      `{ // of a person
        "model": "elsewhere/model", "provider": { "elsewhere": { "options": { "apiKey": "planted" } } },
        "plugin": ["${home}/mine/listed.ts", "not-installed@1.0.0"],
        "agent": { "build": { "model": "elsewhere/model" }, "checker": { "mode": "subagent", "description": "${OF_AGENT}", "prompt": "Check." } },
        "instructions": ["~/rules/*.md"],
        "mcp": { "many": { "type": "local", "command": ["${command}", "${script}"] }, "far": { "type": "remote", "url": "https://mcp.example/x" } }
      }`,
    );
    write('home/rules/named.md', `${NAMED}\n`);
    write('home/.local/share/opencode/auth.json', '{"elsewhere":{"type":"api","key":"planted"}}');
    write('home/.config/opencode/AGENTS.md', `${OF_HOME}\n`);
    write('home/.config/opencode/skills/planted/SKILL.md', `---\nname: planted\ndescription: ${SKILL}\n---\nBody.\n`);
    write('home/.config/opencode/commands/check.md', '---\ndescription: Checks.\n---\nCheck it.\n');
    write('home/project/AGENTS.md', `${OF_PROJECT}\n`);
    write('home/project/opencode.json', '{"$schema":"https://opencode.ai/config.json","share":"disabled"}');
  });
  expect(one('lost', 'dropped.ts')).toMatchObject({
    event: 'tool.execute.before',
    characters: dropped.length,
    isPlain: false,
  });
  expect(one('slow', 'slow.ts')).toMatchObject({ event: 'chat.params' });
  expect(one('failed', 'failing.ts')).toMatchObject({ event: 'session.idle', exitCode: 1, said: 'no such table' });
  expect(one('twice', 'again.ts')).toMatchObject({ owners: [{ kind: 'plug-in' }, { kind: 'plug-in' }] });
  // It is in the instructions: each step begins anew.
  const turns = result.cache.steps.filter(({ to }) => to !== 'new session');
  expect(turns.length).toBeGreaterThanOrEqual(3);
  expect(turns.map(({ broken }) => broken?.owner.name)).toEqual(turns.map(() => '~/.config/opencode/plugins/clock.ts'));
  expect(one('cache', 'clock.ts')).toBeDefined();
  expect(one('skipped', 'not-installed')).toBeDefined();
  expect(one('not-measured', 'far')).toBeDefined();
  expect(one('large', 'big.ts')).toBeDefined();
  expect(own('big.ts') / BIG.length).toBeCloseTo(1, 2);
  // What a plug-in sends is a message too, to which the others add their texts.
  expect(own('plugins/same.ts') / (2 * SAME.length)).toBeCloseTo(1, 2);
  expect(own('sends.ts') / TOLD.length).toBeCloseTo(1, 2);
  expect(own('~/mine/listed.ts') / LISTED.length).toBeCloseTo(1, 2);
  expect(own('~/.config/opencode/AGENTS.md') / OF_HOME.length).toBeCloseTo(1, 2);
  expect(own('named.md') / NAMED.length).toBeCloseTo(1, 2);
  expect(own('agent.checker.description') / OF_AGENT.length).toBeCloseTo(1, 2);
  expect(own('SKILL.md')).toBeGreaterThanOrEqual(SKILL.length);
  expect(own('plugins/many.ts')).toBeGreaterThan(40 * 'Does the planted thing number 1.'.length);
  expect(own('tools/counter.ts')).toBeGreaterThan('Counts what was planted in a home.'.length);
  expect(result.servers).toMatchObject([
    { owner: { kind: 'server', name: 'many' }, tools: 40 },
    { owner: { kind: 'server', name: 'far' } },
  ]);
  expect(own('many', 'first prompt')).toBeGreaterThan(40 * 'Does the planted thing number 1.'.length);
  const moments = result.requests.map(({ moment }) => moment);
  expect(moments).toEqual(expect.arrayContaining(['sub-agent', 'compaction', 'after compaction', 'new session']));
  const without = result.cache.withoutEach.filter(
    ({ owner, to }) => owner.name.includes('clock') && to !== 'new session',
  );
  expect(without.map(({ kept, of }) => kept / of)).toEqual(without.map(() => 1));
});
