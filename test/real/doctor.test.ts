// What doctor says of hooks, held against the real agent: Codex is asked by its app server, and nothing of its home is changed.

import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { ownHooks } from '../../src/agents/codex/trust.ts';
import { isOurCommand } from '../../src/install/shell-command.ts';
import { sha256 } from '../../src/system/sha256.ts';
import { AGENTS, RealField } from './field.ts';

let field: RealField | undefined;
afterEach(async () => {
  await field?.leave();
  field = undefined;
});

test.runIf(AGENTS.includes('codex'))('doctor tells the five states of trust of the real Codex', async () => {
  const of = await RealField.make('codex');
  field = of;
  await of.must('init', '--yes', '--agents', 'codex');
  const folder = join(of.scratch.home, '.codex');
  const [hooks, config] = [join(folder, 'hooks.json'), join(folder, 'config.toml')];
  const usual = existsSync(config) ? readFileSync(config, 'utf8') : '';
  const own = ownHooks(JSON.parse(readFileSync(hooks, 'utf8')).hooks, isOurCommand);
  const state = (hashOf: (text: string) => string, more = '') =>
    own.map(({ place, text }) => `[hooks.state."${hooks}:${place}"]\ntrusted_hash = "sha256:${hashOf(text)}"\n${more}`);
  const states: Readonly<Record<string, string>> = {
    'waits for review': '',
    trusted: state(sha256).join(''),
    modified: state(() => '0'.repeat(64)).join(''),
    disabled: state(sha256, 'enabled = false\n').join(''),
    off: '',
  };
  for (const [trust, text] of Object.entries(states)) {
    // The recipe vouches for hooks by a flag, never in the file.
    const features = trust === 'off' ? usual.replace('[features]', '[features]\nhooks = false') : usual;
    writeFileSync(config, `${features}\n${text}`);
    const before = snapshot(of.scratch.home);
    const { stdout } = await of.foreword('doctor', '--json');
    const found = JSON.parse(stdout);
    expect(found.hooks.find(({ agent }: { agent: string }) => agent === 'codex')).toMatchObject({ trust, faults: [] });
    expect(found.problems.some((one: string) => one.startsWith('Codex '))).toBe(trust !== 'trusted');
    const after = snapshot(of.scratch.home);
    const changed = [...new Set([...Object.keys(before), ...Object.keys(after)])].filter(
      (name) => before[name] !== after[name],
    );
    expect(changed).toEqual([]);
  }
});

test.runIf(AGENTS.includes('codex'))(
  'hooks of a project wait for trust in its folder, and are not called switched off',
  async () => {
    const of = await RealField.make('codex');
    field = of;
    await of.must('init', '--yes', '--agents', 'codex', '--scope', 'project');
    const config = join(of.scratch.home, '.codex/config.toml');
    const usual = existsSync(config) ? readFileSync(config, 'utf8') : '';
    const untrusted = usual.replace(/^\[projects\.[^\]]*\]\n(?:trust_level.*\n)?/gm, '');
    const trustWith = async (text: string) => {
      writeFileSync(config, text);
      const found = JSON.parse((await of.foreword('doctor', '--json')).stdout);
      return [found.hooks.find(({ agent }: { agent: string }) => agent === 'codex').trust, found.problems.join('\n')];
    };
    expect(await trustWith(untrusted)).toEqual([
      'folder not trusted',
      expect.stringContaining('Codex does not run the hooks of this project: you have not trusted its folder'),
    ]);
    const trusted = `${untrusted}\n[projects."${of.scratch.project}"]\ntrust_level = "trusted"\n`;
    expect(await trustWith(trusted)).toMatchObject([
      'waits for review',
      expect.stringContaining('asks you to trust them'),
    ]);
  },
);

function snapshot(folder: string): Readonly<Record<string, string>> {
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  return Object.fromEntries(
    names.map((name) => {
      const stat = statSync(join(folder, name), { throwIfNoEntry: false });
      return [name, stat?.isFile() === true ? sha256(readFileSync(join(folder, name), 'latin1')) : String(stat?.mode)];
    }),
  );
}
