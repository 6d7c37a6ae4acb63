// The script that agents run: what it decides by itself, what it leaves to Node, and that it never gets in the way.

import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { PROJECT_VARIABLES } from '../../src/hooks/dialects.ts';
import { rootPlaces } from '../../src/system/files/project-state.ts';
import { type Built, canary, onlyPrograms, type RunOptions, run, SHELLS, titled } from './built.ts';
import { answered, givenUp, whyBusy } from './busy.ts';
import { contextOf, type Field } from './field.ts';
import { onStage } from './stage.ts';

let built: Built;
let field: Field;
let env: Record<string, string>;
onStage('script', (stage) => {
  ({ built, field, env } = stage);
});

const GATE = 'Never push to main.';
const payload = (more: object = {}, first: object = {}) =>
  JSON.stringify({
    ...first,
    session_id: 'ses-1',
    transcript_path: '/t',
    cwd: field.root,
    hook_event_name: 'PreToolUse',
    tool_name: 'Bash',
    tool_input: { command: 'ls' },
    ...more,
  });

describe.each(SHELLS)('$name', (shell) => {
  const hook = async (input: readonly (string | Uint8Array)[], options: Partial<RunOptions> = {}) => {
    const ran = await answered(field, () =>
      run([...shell.command, built.script], {
        cwd: field.root,
        env,
        args: ['pre-tool', 'claude'],
        input,
        ...options,
      }),
    );
    expect({ status: ran.status, signal: ran.signal, stderr: ran.stderr }).toEqual({
      status: 0,
      signal: null,
      stderr: '',
    });
    return { ...ran, said: contextOf(ran.stdout) };
  };
  /** Node that must not be started. */
  const noNode = () => {
    const mark = join(field.folder, 'started');
    return {
      env: { ...env, FOREWORD_NODE: canary(join(field.folder, 'node'), mark) },
      isStarted: () => existsSync(mark),
    };
  };
  const check = (title: string, work: () => Promise<void>) =>
    test.skipIf(shell.missing !== undefined)(titled(title, shell), work);

  check('prints once, and then starts no Node', async () => {
    expect((await hook([payload()])).said).toContain(GATE);
    const none = noNode();
    for (let time = 0; time < 3; time += 1) expect((await hook([payload()], none)).stdout).toBe('');
    expect((await hook([payload({ content: 'x'.repeat(500_000) })], none)).stdout).toBe('');
    expect(none.isStarted()).toBe(false);
  });

  check('does not wait for the end of standard input', async () => {
    expect((await hook([payload()], { isLeftOpen: true })).said).toContain(GATE);
    expect((await hook([payload()], { isLeftOpen: true })).stdout).toBe('');
    const long = payload({}, { effort: 'x'.repeat(10_000) });
    expect((await hook([long.replace('ses-1', 'ses-2')], { isLeftOpen: true })).said).toContain(GATE);
  });

  check('prints nothing for an empty standard input', async () => {
    expect((await hook([])).stdout).toBe('');
    expect(existsSync(field.state)).toBe(false);
  });

  check('prints nothing for what is no JSON', async () => {
    for (const input of ['hello', '[1,2]', '"session_id":"x","tool_input":', '\n\n\n', 'null', '{"session_id":'])
      expect((await hook([input])).stdout).toBe('');
  });

  check('reads what is written over several lines', async () => {
    const pretty = JSON.stringify(JSON.parse(payload()), null, 2);
    expect((await hook([`${pretty}\n\n`])).said).toContain(GATE);
    expect((await hook([pretty])).stdout).toBe('');
    // The same marker as that of one line.
    expect((await hook([payload()])).stdout).toBe('');
  });

  check('finds an id that comes last, behind megabytes', async () => {
    const late = JSON.stringify({
      tool_input: { session_id: 'evil', text: 'x'.repeat(3_000_000) },
      cwd: field.root,
      session_id: 'late',
    });
    expect((await hook([late])).said).toContain(GATE);
    expect(readdirSync(field.places.gate)).toEqual(['late@0']);
  });

  check('ends in time with 50 MB, whether it needs them or not', async () => {
    const piece = 'x'.repeat(1_000_000);
    const pieces = Array.from({ length: 50 }, () => piece);
    const early = await hook(['{"session_id":"a","tool_input":{"t":"', ...pieces, '"}}']);
    expect(early.said).toContain(GATE);
    const late = await hook(['{"tool_input":{"t":"', ...pieces, '"},"session_id":"b"}']);
    expect(late.ms).toBeLessThan(10_000);
  });

  check('takes the payload in small pieces', async () => {
    const whole = payload();
    const pieces = Array.from({ length: Math.ceil(whole.length / 20) }, (_, index) =>
      whole.slice(index * 20, index * 20 + 20),
    );
    expect((await hook(pieces)).said).toContain(GATE);
    expect((await hook(pieces)).stdout).toBe('');
  });

  check('hands over what it read byte by byte, line ends and odd bytes included', async () => {
    const odd = Buffer.concat([
      Buffer.from(`\n{"session_id":"odd", "x":"${'é'.repeat(2030)}`),
      Buffer.from([0xf0, 0x9f]),
      Buffer.from('"\n\n,"cwd":'),
      Buffer.from(`${JSON.stringify(field.root)},"tool_input":{}}\n\n\n`),
    ]);
    expect((await hook([odd])).said).toContain(GATE);
  });

  check('does not take a NUL for nothing', async () => {
    const { stdout } = await hook(['{"session_id":"ses\0-1","tool_input":{}}']);
    // Its dd prints no count by which a NUL that the shell dropped could be noticed.
    if (shell.command[0] === 'busybox') return;
    expect(stdout).toBe('');
    expect(existsSync(field.places.gate)).toBe(false);
    expect(field.log()).toContain('NUL byte');
  });

  check('takes ids only from the payload itself, and only plain ones as names', async () => {
    const ids = [
      '../../x',
      'a/b',
      '.',
      '..',
      'a b',
      '$(touch x)',
      '`touch x`',
      "';touch x;'",
      'x'.repeat(10_000),
      'é',
      '*',
      '-rf',
      'a"b',
      'a\\b',
      '\u0000',
    ];
    for (const id of ids) expect((await hook([payload({ session_id: id })])).said, id).toContain(GATE);
    for (const id of ids) expect((await hook([payload({ session_id: id })])).stdout, id).toBe('');
    for (const name of readdirSync(field.places.gate)) expect(name).toMatch(/^(~[0-9a-f]{32}|-rf)@0$/);
    expect(readdirSync(field.root)).toEqual(['.context']);
    expect(readdirSync(field.folder).sort()).toEqual(['project', 'state']);
  });

  check('knows sub-agents apart, and what looks like one in the input of a tool is none', async () => {
    expect((await hook([payload({}, { agent_id: 'sub' })])).said).toContain(GATE);
    expect((await hook([payload()])).said).toContain(GATE);
    expect((await hook([payload({ tool_input: { agent_id: 'other', session_id: 'other' } })])).stdout).toBe('');
    expect((await hook([payload({ tool_input: '"agent_id":"x","session_id":"y"' })])).stdout).toBe('');
    expect((await hook([payload({}, { agent_id: null })])).stdout).toBe('');
    expect((await hook([payload({}, { meta: { agent_id: 'x', session_id: 'y' } })])).stdout).toBe('');
    expect(readdirSync(field.places.gate).sort()).toEqual(['ses-1.sub@0', 'ses-1@0']);
  });

  check('starts no Node where there is no folder of ours', async () => {
    const none = noNode();
    renameSync(join(field.root, '.context'), join(field.root, 'context'));
    for (const event of ['pre-tool', 'session-start', 'prompt', 'stop'])
      expect((await hook([payload()], { ...none, args: [event, 'claude'] })).stdout).toBe('');
    mkdirSync(join(field.folder, '.context'));
    mkdirSync(join(field.root, '.git'));
    writeFileSync(join(field.root, '.git/HEAD'), '');
    expect((await hook([payload()], none)).stdout).toBe('');
    expect(none.isStarted()).toBe(false);
  });

  check('finds the project from below it, through a link, and by the variable of the agent', async () => {
    mkdirSync(join(field.root, 'src/deep'), { recursive: true });
    symlinkSync(join(field.root, 'src'), join(field.folder, 'link'));
    const at = (cwd: string, id: string, more = {}) => hook([payload({ session_id: id, cwd })], { cwd, ...more });
    expect((await at(join(field.root, 'src/deep'), 'below')).said).toContain(GATE);
    expect((await at(join(field.folder, 'link/deep'), 'link')).said).toContain(GATE);
    expect((await at(field.folder, 'none')).said).toBe('');
    symlinkSync(field.root, join(field.folder, 'other'));
    for (const name of ['project', 'other']) {
      const variable = { env: { ...env, CLAUDE_PROJECT_DIR: join(field.folder, name) } };
      expect((await at(field.folder, name, variable)).said).toContain(GATE);
      expect((await at(field.folder, name, variable)).stdout).toBe('');
    }
    expect(readdirSync(field.places.gate).sort()).toEqual(['below@0', 'link@0', 'other@0', 'project@0']);
  });

  check('prints in each project, when one session works in two of them', async () => {
    const other = join(field.folder, 'other');
    mkdirSync(join(other, '.context'), { recursive: true });
    writeFileSync(join(other, '.context/CONSTITUTION.md'), 'Ask before you deploy.\n');
    expect((await hook([payload()])).said).toContain(GATE);
    expect((await hook([payload({ cwd: other })], { cwd: other })).said).toContain('Ask before you deploy.');
    // The folder that the payload names counts, wherever the agent started the hook.
    expect((await hook([payload({ session_id: 'two', cwd: other })])).said).toContain('Ask before you deploy.');
    const none = noNode();
    for (const cwd of [field.root, other]) {
      expect((await hook([payload({ cwd })], { cwd, ...none })).stdout).toBe('');
      expect((await hook([payload({ cwd })], none)).stdout).toBe('');
    }
    expect((await hook([payload({ session_id: 'two', cwd: other })], none)).stdout).toBe('');
    expect(none.isStarted()).toBe(false);
  });

  check('prints every time where it cannot write', async () => {
    for (const home of [join(field.root, '.context/TASKS.md'), '/proc/nowhere', '/dev/null']) {
      for (let time = 0; time < 2; time += 1) {
        const { said } = await hook([payload()], { env: { ...env, XDG_STATE_HOME: home } });
        expect(said).toContain(GATE);
        expect(said).toContain('it is said at every tool use');
      }
    }
  });

  check('refuses a state folder that is a link', async () => {
    mkdirSync(join(field.folder, 'elsewhere'));
    mkdirSync(field.stateHome);
    symlinkSync(join(field.folder, 'elsewhere'), field.state);
    for (let time = 0; time < 2; time += 1) expect((await hook([payload()])).said).toContain(GATE);
    expect(readdirSync(join(field.folder, 'elsewhere'))).toEqual([]);
  });

  check('keeps nothing behind a link in the place of what is kept for the project', async () => {
    const elsewhere = join(field.folder, 'elsewhere');
    mkdirSync(join(elsewhere, 'gate/ses-1@0/done'), { recursive: true });
    mkdirSync(dirname(field.places.folder), { recursive: true, mode: 0o700 });
    symlinkSync(elsewhere, field.places.folder);
    for (const id of ['ses-1', 'ses-1', 'ses-2']) {
      const { said } = await hook([payload({ session_id: id })]);
      expect(said).toContain(GATE);
      expect(said).toContain('is a link.');
    }
    expect(readdirSync(join(elsewhere, 'gate'))).toEqual(['ses-1@0']);
    expect(readdirSync(elsewhere)).toEqual(['gate']);
  });

  check(
    'prints every time in a project whose markers would lie among those of another, or whose path is too long',
    async () => {
      // Paths of 4096 bytes are the most; what is kept for the project has a longer one than the project.
      const deep = join(field.folder, ...Array.from({ length: 16 }, () => 'd'.repeat(240)));
      for (const root of [join(field.root, '.fw/gate/inner'), join(deep, 'e'.repeat(4040 - deep.length))]) {
        mkdirSync(join(root, '.context'), { recursive: true });
        writeFileSync(join(root, '.context/CONSTITUTION.md'), GATE);
        for (let time = 0; time < 2; time += 1) {
          const { said } = await hook([payload({ cwd: root })], { cwd: root });
          expect(said).toContain(GATE);
          expect(said).toContain('it is said at every tool use');
        }
      }
      expect(field.log()).toContain('the marker could not be written');
      expect(existsSync(field.places.folder)).toBe(false);
    },
  );

  check('works in a project that was switched on, though it has no folder of ours', async () => {
    const place = join(field.folder, 'plain/below');
    mkdirSync(place, { recursive: true });
    const none = noNode();
    const live = { ...env, FOREWORD_CONTEXT_FILE: join(field.folder, 'context.json'), FOREWORD_SESSION: 's01234567' };
    writeFileSync(live.FOREWORD_CONTEXT_FILE, JSON.stringify({ id: 'fw_host', text: 'FROM THE HOST' }));
    const start = (cwd: string, options: Partial<RunOptions> = {}) =>
      hook([payload({ cwd, source: 'startup', session_id: cwd })], {
        cwd,
        args: ['session-start', 'claude'],
        ...options,
      });
    expect((await start(place, none)).stdout).toBe('');
    expect(none.isStarted()).toBe(false);
    // A live session has a host that wants to know, wherever it works.
    expect((await start(place, { env: live })).said).toBe('FROM THE HOST');
    const on = (root: string) => {
      mkdirSync(rootPlaces(field.state, root).folder, { recursive: true, mode: 0o700 });
      writeFileSync(rootPlaces(field.state, root).on, '');
    };
    on(place);
    expect((await start(place)).said).toContain('[foreword startup fw_');
    // With a repository the whole of it is switched on.
    const below = join(field.folder, 'repository/src');
    mkdirSync(below, { recursive: true });
    mkdirSync(join(field.folder, 'repository/.git'));
    writeFileSync(join(field.folder, 'repository/.git/HEAD'), '');
    on(join(field.folder, 'repository'));
    expect((await start(below)).said).toContain('[foreword startup fw_');
    expect((await start(join(field.folder, 'plain'), none)).stdout).toBe('');
    expect(none.isStarted()).toBe(false);
  });

  check('without Node it is silent, and the log has the reason', async () => {
    mkdirSync(field.state, { recursive: true, mode: 0o700 });
    const PATH = onlyPrograms(join(field.folder, 'bin'), [
      'dd',
      'mkdir',
      'date',
      ...(shell.command[0] === 'busybox' ? ['busybox'] : [shell.command[0] ?? '']),
    ]);
    expect((await hook([payload()], { env: { ...env, PATH, FOREWORD_NODE: '' } })).stdout).toBe('');
    expect(field.log()).toContain('cannot be run');
  });

  check('finds Node by the path that was noted beside it', async () => {
    const PATH = onlyPrograms(join(field.folder, 'bin'), ['dd', 'mkdir', 'date', shell.command[0] ?? '']);
    writeFileSync(join(built.folder, 'node-path'), `${process.execPath}\n`);
    try {
      expect((await hook([payload()], { env: { ...env, PATH, FOREWORD_NODE: '' } })).said).toContain(GATE);
    } finally {
      rmSync(join(built.folder, 'node-path'));
    }
  });

  check('whatever Node does, it ends with 0 and by its deadline', async () => {
    const node = join(field.folder, 'node');
    for (const body of ['exit 7', 'kill -9 $$', 'echo oops >&2; exit 1']) {
      rmSync(field.state, { recursive: true, force: true });
      writeFileSync(node, `#!/bin/sh\n${body}\n`, { mode: 0o755 });
      const ran = await hook([payload()], { env: { ...env, FOREWORD_NODE: node } });
      expect(ran.stdout).toBe('');
      expect(field.log()).toMatch(/node ended with (7|137|1)\n/);
    }
  });

  check('what its deadline kept back is printed by the next call', async () => {
    const node = join(field.folder, 'node');
    writeFileSync(node, '#!/bin/sh\nexec sleep 60\n', { mode: 0o755 });
    const begun = performance.now();
    const ended = await run([...shell.command, built.script], {
      cwd: field.root,
      env: { ...env, FOREWORD_NODE: node },
      args: ['pre-tool', 'claude'],
      input: [payload()],
    });
    const took = performance.now() - begun;
    expect(ended).toMatchObject({ status: 0, stdout: '', stderr: '' });
    expect(givenUp(field)).toBe(1);
    if (took > 1800) whyBusy();
    expect(took).toBeGreaterThan(1400);
    expect((await hook([payload()])).said).toContain(GATE);
    expect((await hook([payload()])).stdout).toBe('');
  });

  check("finds Node's part beside it when it is called by a link", async () => {
    const link = join(field.folder, 'bin/hook');
    mkdirSync(join(field.folder, 'bin'));
    symlinkSync(built.script, link);
    const ran = await answered(field, () =>
      run([...shell.command, link], { cwd: field.root, env, args: ['pre-tool', 'claude'], input: [payload()] }),
    );
    expect(contextOf(ran.stdout)).toContain(GATE);
  });

  // As the manual pages of macOS say: `date -r` takes seconds, `stat -f` a format, and `readlink` knew no -f before 12.3. The
  // script looks for them where the system has them, so this one gets another place for that.
  const likeMac = () => {
    const bin = join(field.folder, 'mac');
    mkdirSync(bin);
    for (const [name, body] of [
      ['date', 'case $1 in -r) exit 1 ;; esac\nexec /bin/date "$@"'],
      ['stat', '[ "$1 $2" = "-f %m" ] && exec /usr/bin/stat -c %Y "$3"'],
      ['readlink', 'case $1 in -*) exit 1 ;; esac\nexec /usr/bin/readlink "$@"'],
    ] as const) {
      writeFileSync(join(bin, name), `#!/bin/sh\n${body}\n`);
      chmodSync(join(bin, name), 0o755);
    }
    const folder = join(field.folder, 'mac-hook');
    cpSync(built.folder, folder, { recursive: true });
    const script = join(folder, 'foreword-hook');
    const text = readFileSync(script, 'utf8');
    const changed = text.replace('PATH=/usr/bin:/bin:', () => `PATH=${bin}:/usr/bin:/bin:`);
    expect(changed).not.toBe(text);
    writeFileSync(script, changed);
    return script;
  };

  check('starts no Node on macOS while the first call has just begun', async () => {
    const none = noNode();
    // With three lost calls it is young for a minute, which is long enough on a slow machine too.
    const gate = join(field.places.gate, 'ses-1@0');
    for (const number of ['1', '2']) mkdirSync(join(gate, number), { recursive: true });
    const command = [...shell.command, likeMac()];
    const ran = await run(command, {
      cwd: field.root,
      env: none.env,
      args: ['pre-tool', 'claude'],
      input: [payload()],
    });
    expect(ran).toMatchObject({ status: 0, stdout: '', stderr: '' });
    expect(none.isStarted()).toBe(false);
  });

  check("finds Node's part on macOS through links that name one another", async () => {
    mkdirSync(join(field.folder, 'bin'));
    symlinkSync(likeMac(), join(field.folder, 'hook'));
    symlinkSync('../hook', join(field.folder, 'bin/hook'));
    symlinkSync('../bin/hook', join(field.root, 'hook'));
    const options = { cwd: field.root, env, args: ['pre-tool', 'claude'] };
    for (const name of [join(field.folder, 'bin/hook'), 'hook']) {
      const input = [payload({ session_id: name === 'hook' ? 'ses-2' : 'ses-1' })];
      const ran = await answered(field, () => run([...shell.command, name], { ...options, input }));
      expect(contextOf(ran.stdout)).toContain(GATE);
    }
  });

  check('runs no program of the repository, though the PATH begins with folders of it', async () => {
    const bin = join(field.root, 'node_modules/.bin');
    mkdirSync(bin, { recursive: true });
    const mark = join(field.folder, 'started');
    const names = ['dd', 'date', 'mkdir', 'node', 'readlink', 'sleep', 'stat', 'touch', 'wc'];
    for (const name of names) for (const folder of [bin, field.root]) canary(join(folder, name), mark);
    symlinkSync(bin, join(field.folder, 'linked'));
    const outside = onlyPrograms(join(field.folder, 'bin'), ['dash']);
    symlinkSync(process.execPath, join(outside, 'node'));
    const PATH = [bin, '.', '', join(field.folder, 'linked'), outside, env.PATH].join(':');
    expect((await hook([payload()], { env: { ...env, PATH, FOREWORD_NODE: '' } })).said).toContain(GATE);
    expect(existsSync(mark)).toBe(false);
  });

  check('runs no program of the repository in whose folder the project lies', async () => {
    const [bin, cwd] = [join(field.root, 'node_modules/.bin'), join(field.root, 'packages/app')];
    for (const folder of [bin, join(field.root, '.git'), join(cwd, '.context')]) mkdirSync(folder, { recursive: true });
    writeFileSync(join(cwd, '.context/CONSTITUTION.md'), `${GATE}\n`);
    const mark = join(field.folder, 'started');
    canary(join(bin, 'node'), mark);
    const outside = onlyPrograms(join(field.folder, 'bin'), ['dash']);
    symlinkSync(process.execPath, join(outside, 'node'));
    const PATH = [bin, outside, env.PATH].join(':');
    const ran = await hook([payload({ cwd })], { cwd, env: { ...env, PATH, FOREWORD_NODE: '' } });
    expect([ran.said.includes(GATE), existsSync(mark)]).toEqual([true, false]);
  });

  check('ends well when only a part of it is there', async () => {
    const alone = join(field.folder, 'alone');
    mkdirSync(alone);
    copyFileSync(built.script, join(alone, 'foreword-hook'));
    const ran = await run([...shell.command, join(alone, 'foreword-hook')], {
      cwd: field.root,
      env,
      args: ['pre-tool', 'claude'],
      input: [payload()],
    });
    expect(ran).toMatchObject({ status: 0, stdout: '', stderr: '' });
  });

  check('starts no Node for a prompt in which nothing is asked', async () => {
    const none = noNode();
    expect((await hook([payload({ prompt: '' })], { ...none, args: ['prompt', 'claude'] })).stdout).toBe('');
    expect(none.isStarted()).toBe(false);
  });

  check('is off where it is switched off', async () => {
    expect((await hook([payload()], { env: { ...env, FOREWORD_HOOKS: 'off' } })).stdout).toBe('');
  });
});

describe('as it is installed', () => {
  const ask = (args: readonly string[], more: object = {}, options: Partial<RunOptions> = {}) =>
    answered(field, () => run([built.script], { cwd: field.root, env, args, input: [payload(more)], ...options }));

  test('it can be started by its path alone, and marks are private', async () => {
    expect(contextOf((await ask(['pre-tool', 'claude'])).stdout)).toContain(GATE);
    const modes = spawnSync('find', [field.state, '-perm', '/077'], { encoding: 'utf8' }).stdout;
    expect(modes).toBe('');
  });

  test('options that a person set for Node do not reach it', async () => {
    const NODE_OPTIONS = '--require /nowhere/at/all.js';
    expect(contextOf((await ask(['pre-tool', 'claude'], {}, { env: { ...env, NODE_OPTIONS } })).stdout)).toContain(
      GATE,
    );
  });

  test('a session start prints what the project knows, from its files and its store', async () => {
    mkdirSync(join(field.root, '.foreword'));
    writeFileSync(join(field.root, '.foreword/tasks.yaml'), '- { id: fact-001, summary: Build src/factorial.py }\n');
    const said = contextOf((await ask(['session-start', 'claude'], { source: 'startup' })).stdout);
    expect(said).toMatch(/^\[foreword startup fw_[a-z0-9]{12}\] /);
    expect(said).toContain('pick fact-001: Build src/factorial.py');
    expect((await ask(['session-start', 'claude'], { source: 'startup' })).stdout).toBe('');
    expect((await ask(['prompt', 'claude'], { prompt: 'go' })).stdout).toBe('');
    writeFileSync(join(field.root, '.foreword/tasks.yaml'), '- { id: fact-002, summary: Build src/primes.py }\n');
    const changed = contextOf((await ask(['prompt', 'claude'], { prompt: 'go' })).stdout);
    expect(changed).toMatch(
      /^\[foreword prompt fw_[a-z0-9]{12}\] Changed since you were last told:\n---\n# agent_context\nnext_work: \[ "pick fact-002/,
    );
    expect(changed).not.toContain('policy');
    expect(changed.length).toBeLessThanOrEqual(1024);
    expect(readdirSync(join(field.root, '.foreword'))).toEqual(['tasks.yaml']);
  });

  test('what cannot be read is named, and the rest is printed', async () => {
    mkdirSync(join(field.root, '.foreword'));
    writeFileSync(field.files().store, 'no database');
    writeFileSync(join(field.root, '.foreword/tasks.yaml'), 'a: [');
    const broken = await ask(['session-start', 'claude'], { session_id: 'ses-2', source: 'startup' });
    expect(contextOf(broken.stdout)).toMatch(
      /Could not be read: \.foreword\/tasks\.yaml; the store \(The store \S+\/foreword\.db is damaged/,
    );
    expect(readFileSync(field.files().store, 'utf8')).toBe('no database');
  });

  test('a configuration that is wrong leaves the gate and is named in the log', async () => {
    mkdirSync(join(field.root, '.foreword'));
    writeFileSync(join(field.root, '.foreword/config.yaml'), 'gate: { mode: loud }\nnonsense: 1\n');
    expect((await ask(['session-start', 'claude'])).stdout).toBe('');
    expect(contextOf((await ask(['pre-tool', 'claude'])).stdout)).toContain(GATE);
    expect(field.log()).toContain('The configuration has');
  });

  test('secrets of the environment are not shown', async () => {
    writeFileSync(join(field.root, '.context/CONSTITUTION.md'), 'The key is correct-horse-battery.\n');
    const said = contextOf(
      (await ask(['pre-tool', 'claude'], {}, { env: { ...env, MY_API_KEY: 'correct-horse-battery' } })).stdout,
    );
    expect(said).toContain('The key is [redacted].');
  });

  test('the script knows the variables that Node looks at, and no agent', () => {
    const script = readFileSync(built.script, 'utf8');
    expect(script.match(/\$\{[A-Z]+_PROJECT_DIR-\}/g)).toEqual(PROJECT_VARIABLES.map((name) => `\${${name}-}`));
    expect(PROJECT_VARIABLES).toContain('CLAUDE_PROJECT_DIR');
    expect(script).not.toMatch(/^[^#]*\b(claude|codex|gemini|qwen|copilot|cursor|crush)\b/m);
  });

  test.skipIf(process.getuid?.() !== 0)('a state folder of somebody else is not trusted', async () => {
    mkdirSync(join(field.places.gate, 'ses-1@0/done'), { recursive: true });
    chmodSync(field.folder, 0o755);
    spawnSync('chmod', ['-R', 'a+rX', field.folder]);
    for (let time = 0; time < 2; time += 1) {
      const ran = await ask(['pre-tool', 'claude'], {}, { uid: 65_534 });
      expect(contextOf(ran.stdout)).toContain(GATE);
      expect(contextOf(ran.stdout)).toContain('it is said at every tool use');
    }
  });
});
