import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { SETUPS } from '../../agents/setups.ts';
import type { SetupFacts } from '../../kernel/agent-setup.ts';
import { attribute, partsOf } from './attribute.ts';
import { toolFiles } from './copy-modules.ts';
import { copySetup } from './copy-setup.ts';
import { runTexts } from './hook-output.ts';
import { asideOf, broughtBy, isModule, packageEntry, withEvents } from './modules.ts';
import type { HookRun, XrayRecording } from './recording.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'foreword-modules-'));
  for (const name of ['home/project', 'into', 'records']) mkdirSync(join(folder, name), { recursive: true });
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function write(path: string, text: string): void {
  mkdirSync(join(folder, path, '..'), { recursive: true });
  writeFileSync(join(folder, path), text);
}

function copied(agent: string, isBaseline = false) {
  return copySetup({
    facts: SETUPS[agent] as SetupFacts,
    home: join(folder, 'home'),
    project: join(folder, 'home/project'),
    cwd: join(folder, 'home/project'),
    env: {},
    into: join(folder, 'into'),
    records: join(folder, 'records'),
    isBaseline,
    recorder: (kind) => ['/recorder', kind],
    formats: { parse: (text) => JSON.parse(text) as unknown, print: (value) => JSON.stringify(value) },
  });
}

/** What a module prints as JSON; the tests' own loader would load the files otherwise than an agent does. */
function inNode(code: string): unknown {
  const printed = execFileSync(process.execPath, ['--input-type=module', '-e', code], {
    encoding: 'utf8',
    stdio: 'pipe',
  });
  return JSON.parse(printed) as unknown;
}

function runs(): readonly HookRun[] {
  const names = readdirSync(join(folder, 'records')).filter((name) => name.startsWith('hook-'));
  const all = names.map((name) => JSON.parse(readFileSync(join(folder, 'records', name), 'utf8')) as HookRun);
  return all.sort((a, b) => a.at - b.at);
}

const texts = (event: string) =>
  runs()
    .filter((run) => run.event === event)
    .map((run) => runTexts(run).map(({ text }) => text));

test('an extension of pi works as before, and what it returns, sends and brings is recorded', () => {
  write(
    'home/.pi/agent/extensions/rules/index.js',
    `export default function (pi) {
       pi.registerTool({ name: 'count', description: 'Counts.' });
       pi.on('before_agent_start', async (event) => ({ systemPrompt: event.systemPrompt + ' Be brief.', message: { content: 'A message.' } }));
       pi.on('session_start', () => pi.sendMessage({ customType: 'x', content: 'Sent at the start.' }));
     }`,
  );
  const { hooks } = copied('pi');
  const all = inNode(`
    import start from ${JSON.stringify(join(folder, 'into/.pi/agent/extensions/rules/index.js'))};
    const [handlers, done] = [{}, []];
    await start({
      on: (event, handler) => { handlers[event] = handler; },
      registerTool: (tool) => done.push(tool.name),
      sendMessage: (message) => done.push(message.content),
    });
    const answer = await handlers.before_agent_start({ prompt: 'Hello.', systemPrompt: 'You are pi.' });
    await handlers.session_start({});
    console.log(JSON.stringify({ answer, done }));`);
  expect(all).toMatchObject({
    answer: { systemPrompt: 'You are pi. Be brief.' },
    done: ['count', 'Sent at the start.'],
  });
  expect(texts('before_agent_start')).toEqual([['Be brief.', 'A message.']]);
  const events = withEvents(hooks, runs()).map(({ event }) => event);
  expect(events.toSorted()).toEqual(['before_agent_start', 'loaded', 'sendMessage', 'session_start']);
  expect(texts('sendMessage')).toEqual([['Sent at the start.']]);
  const records = readdirSync(join(folder, 'records'))
    .filter((name) => name.startsWith('module-'))
    .map((name) => JSON.parse(readFileSync(join(folder, 'records', name), 'utf8')));
  expect(broughtBy(hooks, records).tools).toEqual([{ name: 'count', owner: hooks[0]?.owner }]);
});

test('extensions that settings list are loaded by a module of ours, and those that cannot be are named', () => {
  write('home/mine/plug.js', 'export default () => undefined;');
  const settings = {
    extensions: ['~/mine/plug.js', '!not-this', './absent.ts'],
    packages: ['npm:some', { source: 'git:x/y' }],
  };
  write(
    'home/.pi/agent/settings.json',
    JSON.stringify({ ...settings, skills: ['~/more/*'], defaultModel: 'elsewhere' }),
  );
  write('home/more/rules.md', 'The rules of this person.');
  const { hooks, texts: known } = copied('pi');
  expect(hooks.map(({ owner, skipped }) => [owner.name, skipped?.slice(0, 30)])).toEqual([
    ['npm:some', 'foreword xray does not load pa'],
    ['git:x/y', 'foreword xray does not load pa'],
    ['~/mine/plug.js', undefined],
    ['./absent.ts', 'its package was not found on t'],
  ]);
  const own = JSON.parse(readFileSync(join(folder, 'into/.pi/agent/settings.json'), 'utf8'));
  expect(own).toEqual({
    extensions: [join(folder, 'home/.foreword-xray/h2.js'), '!not-this'],
    skills: ['~/more/*'],
  });
  expect(known).toContainEqual({
    owner: { kind: 'instructions', name: '~/more/rules.md' },
    text: 'The rules of this person.',
  });
});

test('extensions of the project are replaced in the session with the set-up and hidden in the one without', () => {
  write('home/project/.pi/extensions/own.ts', 'export default () => undefined;');
  const { projectFiles, hooks } = copied('pi');
  expect(Object.keys(projectFiles)).toEqual(['.pi/extensions/own.ts', '.pi/extensions/own.xray.mts']);
  expect(hooks[0]?.owner.name).toBe('.pi/extensions/own.ts');
  const bare = copied('pi', true);
  expect(bare.hooks).toEqual([]);
  expect(bare.hidden).toContain('.pi/');
});

test('files beside plug-ins are none, and packages begin where they say', () => {
  const modules = { folders: ['.pi/agent/extensions'] };
  expect(isModule('.pi/agent/extensions/one.ts', modules)).toBe(true);
  expect(isModule('.pi/agent/extensions/two/index.js', modules)).toBe(true);
  for (const name of ['two/lib.js', 'one.d.ts', 'one.md', 'a/b/index.ts'])
    expect(isModule(`.pi/agent/extensions/${name}`, modules), name).toBe(false);
  expect(asideOf('plugins/one.js')).toBe('plugins/one.xray.mjs');
  expect(packageEntry({ exports: { './server': { import: './s.js' }, '.': './i.js' } })).toBe('./s.js');
  expect(packageEntry({ exports: './all.js', main: 'm.js' })).toBe('./all.js');
  expect(packageEntry({ module: 'm.mjs', main: 'm.js' })).toBe('m.mjs');
  expect(packageEntry({})).toBe('index.js');
});

test('a tool that a plug-in brings is counted to it', () => {
  const tools = ['count', 'bash'].map((name) => ({ type: 'function', function: { name, description: name } }));
  const owner = { kind: 'plug-in' as const, name: 'rules' };
  const recording: XrayRecording = {
    agent: 'a',
    version: '1',
    requests: [{ moment: 'first prompt', at: 1, protocol: 'chat', isMain: true, body: { tools } }],
    baseline: [],
    ...{ hooks: [], runs: [], servers: [], serverRuns: [], texts: [], said: [] },
    toolName: '{server}_{tool}',
    tools: [{ name: 'count', owner }],
  };
  const [one] = attribute(recording);
  const part = one && partsOf(one).find((each) => each.owner.kind === 'plug-in');
  expect(part).toMatchObject({ owner, characters: JSON.stringify(tools[0]).length });
});

test('a plug-in of OpenCode works as before, and what it adds, sends and brings is recorded', () => {
  write(
    'home/.config/opencode/plugins/rules.js',
    `export const One = async ({ client, $ }) => ({
       config: async (config) => { config.agent = { checker: { description: 'Checks what the plug-in wants.' } }; },
       tool: { count: { description: 'Counts.' } },
       event: async ({ event }) => {
         if (event.type === 'session.created') await client.session.prompt({ path: {}, body: { parts: [{ type: 'text', text: 'Sent at the start.' }] } });
         if (event.type === 'session.idle') throw Error('no such table');
       },
       'chat.message': async (input, output) => { output.parts.push({ type: 'text', text: 'A message by ' + $.own }); },
     });
     export const Two = async () => ({
       'experimental.chat.system.transform': async (input, output) => { output.system.push('Be brief.'); },
       'chat.message': async (input, output) => { output.parts.push({ type: 'text', text: 'Another one.' }); },
     });`,
  );
  const { hooks } = copied('opencode');
  const all = inNode(`
    import plugin from ${JSON.stringify(join(folder, 'into/.config/opencode/plugins/rules.js'))};
    const sent = [];
    class Session { #own = sent; async prompt(given) { this.#own.push(given.body.parts[0].text); } }
    class Client { session = new Session(); }
    const hooks = await plugin.server({ client: new Client(), $: Object.assign(() => 0, { own: 'shell' }) });
    const [config, output, system] = [{}, { parts: [{ type: 'text', text: 'Hello.' }] }, { system: ['You are OpenCode.'] }];
    await hooks.config(config);
    await hooks['chat.message']({}, output);
    await hooks['experimental.chat.system.transform']({}, system);
    for (const type of ['session.created', 'message.part.updated', 'session.idle']) hooks.event({ event: { type } });
    await new Promise((done) => setTimeout(done, 20));
    console.log(JSON.stringify({ id: plugin.id, tools: Object.keys(hooks.tool), config, sent, texts: output.parts.map(({ text }) => text), ...system }));`);
  expect(all).toEqual({
    id: 'foreword-xray-h0',
    tools: ['count'],
    config: { agent: { checker: { description: 'Checks what the plug-in wants.' } } },
    sent: ['Sent at the start.'],
    texts: ['Hello.', 'A message by shell', 'Another one.'],
    system: ['You are OpenCode.', 'Be brief.'],
  });
  expect(texts('chat.message').toSorted()).toEqual([['A message by shell'], ['Another one.']]);
  expect(texts('session.prompt')).toEqual([['Sent at the start.']]);
  expect(runs().filter(({ exitCode }) => exitCode !== 0)).toMatchObject([
    { event: 'session.idle', stderr: 'no such table' },
  ]);
  expect(runs().some(({ event }) => event === 'message.part.updated')).toBe(false);
  const records = readdirSync(join(folder, 'records'))
    .filter((name) => name.startsWith('module-'))
    .map((name) => JSON.parse(readFileSync(join(folder, 'records', name), 'utf8')));
  const brought = broughtBy(hooks, records);
  expect(brought.tools).toEqual([{ name: 'count', owner: hooks[0]?.owner }]);
  expect(brought.texts.map(({ text }) => text)).toEqual(['Checks what the plug-in wants.']);
});

test('of OpenCode, installed packages are found, a folder beside its plug-ins is left alone, and files of tools own them', () => {
  const place = 'home/.cache/opencode/packages/@a/guard@1.2.3/node_modules/@a/guard';
  write(`${place}/package.json`, '{"main":"dist/index.js"}');
  write(`${place}/dist/index.js`, 'export default async () => ({});');
  write('home/.config/opencode/plugins/lib/index.ts', 'export const helper = 1;');
  write('home/.opencode/tools/git.ts', 'export const status = {};');
  write('home/project/.opencode/tool/count.ts', 'export default {};');
  const settings = {
    plugin: ['@a/guard@1.2.3', 'absent'],
    agent: { build: { model: 'a/b', prompt: 'Build it.' } },
    model: 'a/b',
  };
  write('home/.config/opencode/opencode.json', JSON.stringify(settings));
  const { hooks, mounted, texts: known } = copied('opencode');
  expect(hooks.map(({ owner, skipped }) => [owner.name, skipped])).toEqual([
    ['@a/guard@1.2.3', undefined],
    ['absent', 'its package was not found on this machine'],
  ]);
  expect(mounted).toEqual(['.cache/opencode/packages/@a/guard@1.2.3/node_modules']);
  expect(JSON.parse(readFileSync(join(folder, 'into/.config/opencode/opencode.json'), 'utf8'))).toEqual({
    plugin: [`file://${join(folder, 'home/.foreword-xray/h0.js')}`],
    agent: { build: { prompt: 'Build it.' } },
  });
  expect(known.map(({ text }) => text)).toContain('Build it.');
  const folders = SETUPS.opencode?.modules?.tools ?? [];
  const tools = toolFiles(folders, join(folder, 'home'), join(folder, 'home/project'));
  expect(tools.map(({ name, owner }) => [name, owner.name])).toEqual([
    ['git', '~/.opencode/tools/git.ts'],
    ['count', '.opencode/tool/count.ts'],
  ]);
});
