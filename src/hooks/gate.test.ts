// What the gate shows of a project: only what may be shown, by the settings, with a note when it cannot be recorded.

import { mkdirSync, readdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { Field } from '../../test/hooks/field.ts';
import { CONTEXT_FILES as STARTERS } from '../install/context-files.ts';

let field: Field;
beforeEach(() => {
  field = new Field();
});
afterEach(() => field.remove());

let sessions = 0;
const tool = (agent = 'claude', options = {}) =>
  field.text('pre-tool', agent, { session_id: `ses-${++sessions}`, tool_input: {} }, options);
const put = (path: string, text: string | Uint8Array) => {
  mkdirSync(join(field.root, path, '..'), { recursive: true });
  writeFileSync(join(field.root, path), text);
};

test('must-read files are there in full, the others in a list, by paths that can be opened from where the agent works', async () => {
  const text = await tool();
  expect(text).toContain(' .context/CONSTITUTION.md ---\n# Constitution\n\nNever push to main.\n--- fw_');
  expect(text).toContain('- .context/TASKS.md (31 characters): Tasks');
  expect(text).not.toContain('health endpoint');
});

test('each firing has an id of its own, and is recorded in the journal', async () => {
  const text = await tool();
  const id = /fw_[a-z0-9]+/.exec(text)?.[0];
  expect(field.journal()).toEqual([
    {
      id: expect.stringMatching(/^evt_/),
      at: expect.stringMatching(/^\d{4}-.*Z$/),
      agent: 'claude',
      session: `ses-${sessions}`,
      kind: 'gate-spoken',
      context: id,
      whole: ['.context/CONSTITUTION.md', '.context/AGENT_PLAYBOOK.md'],
      mode: 'inline',
      chars: text.length,
      files: ['CONSTITUTION', 'TASKS', 'CONVENTIONS', 'AGENT_PLAYBOOK'].map((name) => `.context/${name}.md`),
      cut: [],
      isSubagent: false,
      durationMs: 100,
    },
  ]);
});

test('directive mode names the files that are there', async () => {
  put('.foreword/config.yaml', 'gate: { mode: directive }\n');
  const text = await tool();
  expect(text.split('\n')[0]).toBe(
    'STOP. Read your context files before proceeding: .context/CONSTITUTION.md, .context/TASKS.md, .context/CONVENTIONS.md, .context/AGENT_PLAYBOOK.md',
  );
  expect(text).toContain('\nContext Loaded\nRead: ');
});

test('files of the settings are shown in full unless they name the must-read files', async () => {
  put('docs/rules.md', '# Rules\nBe kind.\n');
  put('docs/more.md', '# More\nBe brief.\n');
  put('.foreword/config.yaml', 'gate:\n  files: [docs/rules.md, docs/more.md]\n');
  const all = await tool();
  expect(all).toContain('Be kind.');
  expect(all).toContain('Be brief.');
  put('.foreword/config.yaml', 'gate:\n  files: [docs/rules.md, docs/more.md]\n  mustRead: [docs/more.md]\n');
  const text = await tool();
  expect(text).not.toContain('Be kind.');
  expect(text).toContain('- docs/rules.md (17 characters): Rules');
});

test('a variable is stronger than the file, and off is off', async () => {
  put('.foreword/config.yaml', 'gate: { mode: directive }\n');
  expect(await tool('claude', { env: { FOREWORD_GATE_MODE: 'inline' } })).toContain('Never push');
  expect(await tool('claude', { env: { FOREWORD_GATE_MODE: 'off' } })).toBe('');
});

test('a configuration that is wrong does not silence it; the defaults are taken and the log names the fault', async () => {
  for (const text of ['gate: { mode: loud, budgetChars: 3 }\n', '{ [', 'gate: 7', '\xff\xfe']) {
    put('.foreword/config.yaml', text);
    expect(await tool()).toContain('Never push to main.');
  }
  expect(field.log()).toContain('gate.mode is not inline, directive, off');
  expect(field.log()).toContain('.foreword/config.yaml: Not valid YAML');
});

test('what is not a file of the project, or no text, is not shown', async () => {
  const outside = join(field.folder, 'secret.md');
  writeFileSync(outside, 'OUTSIDE');
  const context = join(field.root, '.context');
  rmSync(join(context, 'CONSTITUTION.md'));
  symlinkSync(outside, join(context, 'CONSTITUTION.md'));
  rmSync(join(context, 'TASKS.md'));
  mkdirSync(join(context, 'TASKS.md'));
  writeFileSync(join(context, 'CONVENTIONS.md'), Buffer.from([0xff, 0xfe, 0x00]));
  put(
    '.foreword/config.yaml',
    'gate:\n  files: [../secret.md, /etc/passwd, .context/CONSTITUTION.md, .context/TASKS.md, .context/CONVENTIONS.md, .context/AGENT_PLAYBOOK.md]\n',
  );
  const text = await tool();
  expect(text).toContain('Run the tests first.');
  expect(text).not.toMatch(/OUTSIDE|root:/);
  expect(field.log()).toContain('not shown: .context/CONSTITUTION.md: Is a link to a place outside of the project');
});

test('files that cannot be shown are named with the reason, in both modes', async () => {
  const context = join(field.root, '.context');
  const outside = join(field.folder, 'secret.md');
  writeFileSync(outside, 'OUTSIDE');
  for (const name of ['CONSTITUTION.md', 'TASKS.md']) rmSync(join(context, name));
  symlinkSync(outside, join(context, 'CONSTITUTION.md'));
  put('.context/AGENT_PLAYBOOK.md', 'x'.repeat(6 * 1024 * 1024));
  put('.context/CONVENTIONS.md', Uint8Array.of(0xff, 0xfe));
  for (const mode of ['inline', 'directive']) {
    const text = await tool('claude', { env: { FOREWORD_GATE_MODE: mode } });
    expect(text).toContain(`Context files that could not be shown; report it to the person:
- .context/CONSTITUTION.md: Is a link to a place outside of the project, expected a file in it.
- .context/AGENT_PLAYBOOK.md: Is 6.0 MiB, expected at most 5 MiB.
- .context/CONVENTIONS.md: Is not UTF-8 text; save the file as UTF-8.`);
    expect(text).not.toContain('OUTSIDE');
  }
});

test('files of a folder that is a link to another place are named, and not shown', async () => {
  const context = join(field.root, '.context');
  renameSync(context, join(field.folder, 'shared'));
  symlinkSync(join(field.folder, 'shared'), context);
  for (const mode of ['inline', 'directive']) {
    const text = await tool('claude', { env: { FOREWORD_GATE_MODE: mode } });
    expect(text).toContain('- .context/CONSTITUTION.md: Is a link to a place outside of the project');
    expect(text).toContain('- .context/AGENT_PLAYBOOK.md: Is a link to a place outside of the project');
    expect(text).not.toContain('Never push');
  }
});

test('a link within the project is followed', async () => {
  put('docs/law.md', 'Inside the project.\n');
  rmSync(join(field.root, '.context/CONSTITUTION.md'));
  symlinkSync('../docs/law.md', join(field.root, '.context/CONSTITUTION.md'));
  expect(await tool()).toContain('Inside the project.');
});

test('secrets and invisible characters are taken out', async () => {
  put('.context/CONSTITUTION.md', 'password hunter2hunter2 \u202E\u001b[31m end\r\n');
  const text = await tool();
  expect(text).toContain('password [redacted] \uFFFD\u241B[31m end');
});

test('a text stays below what each agent takes whole, also when its characters are long', async () => {
  put('.context/CONSTITUTION.md', '規則。守れ。\n'.repeat(5000));
  for (const agent of ['claude', 'codex', 'copilot', 'cursor', 'crush']) {
    const text = await tool(agent);
    expect(text.length).toBeLessThanOrEqual(7900);
    if (agent === 'codex') expect(Buffer.byteLength(text)).toBeLessThanOrEqual(10_000);
    expect(text).toMatch(/CONSTITUTION\.md goes on at line \d+; \d+ more characters, read them now/);
  }
});

test('where markers cannot be written it prints every time, with the reason', async () => {
  const env = { XDG_STATE_HOME: join(field.root, '.context/TASKS.md') };
  const payload = { session_id: 'one', tool_input: {} };
  for (let time = 0; time < 3; time += 1) {
    const text = await field.text('pre-tool', 'claude', payload, { env });
    expect(text).toContain('Never push to main.');
    expect(text).toContain('it is said at every tool use');
  }
  expect(field.complaints.filter((line) => line.includes('prints every time'))).toHaveLength(3);
});

test('a state folder that is a link is refused, and nothing is written where it points to', async () => {
  const elsewhere = join(field.folder, 'elsewhere');
  mkdirSync(elsewhere);
  mkdirSync(field.stateHome);
  symlinkSync(elsewhere, field.state);
  expect(await tool()).toContain('is a link.');
  expect(readdirSync(elsewhere)).toEqual([]);
});

test('a gate that fails is tried three times, then given up for this context', async () => {
  const payload = { session_id: 'one', tool_input: {} };
  const broken = {
    ports: {
      redactor: () => () => {
        throw new Error('broken');
      },
    },
  };
  for (let time = 0; time < 3; time += 1) {
    expect(await field.text('pre-tool', 'claude', payload, broken)).toBe('');
    field.aheadMs += 60_000;
  }
  expect(await field.text('pre-tool', 'claude', payload)).toBe('');
  expect(field.log().match(/failed: broken/g)).toHaveLength(3);
});

test('an agent that drops what is printed at a failed tool is given the text at the next one, also when both run at once', async () => {
  const after = (response: object) =>
    field.text('post-tool', 'gemini', { session_id: 'ses-failed', tool_input: {}, tool_response: response });
  expect(await after({ llmContent: 'x', error: { type: 'execution_failed', message: 'no such folder' } })).toBe('');
  const [failed, worked] = await Promise.all([after({ error: {} }), after({ llmContent: 'done' })]);
  const next = worked === '' ? await after({ llmContent: 'done' }) : worked;
  expect(failed).toBe('');
  expect(next).toContain('Never push to main.');
  expect(await after({ llmContent: 'done' })).toBe('');
});

test('a file that is still as init made it is not put before the model, and where all are, the gate is silent', async () => {
  const [constitution, , , , , playbook] = STARTERS;
  writeFileSync(join(field.root, '.context/AGENT_PLAYBOOK.md'), playbook?.text ?? expect.fail());
  const text = await field.text('pre-tool', 'claude', { session_id: 'own', tool_input: {} });
  expect(text).toContain('Never push to main.');
  expect(text).not.toContain('(commands)');
  expect(text).not.toContain('AGENT_PLAYBOOK.md');
  for (const name of ['TASKS', 'CONVENTIONS']) rmSync(join(field.root, `.context/${name}.md`));
  writeFileSync(join(field.root, '.context/CONSTITUTION.md'), constitution?.text ?? expect.fail());
  expect(await field.text('pre-tool', 'claude', { session_id: 'none', tool_input: {} })).toBe('');
});

test('whether the turn was taken by another hook is asked when nothing is left to do but to print', async () => {
  const isReady = () =>
    readdirSync(field.state, { recursive: true, encoding: 'utf8' }).some((path) => path.includes('/ready-'));
  let asked: boolean[] = [];
  const now = () => {
    asked.push(isReady());
    return Date.now();
  };
  const print = () => {
    expect(asked.at(-1)).toBe(true);
    asked = [];
    return true;
  };
  await tool('claude', { ports: { now, print } });
  expect(asked).not.toContain(true);
});
