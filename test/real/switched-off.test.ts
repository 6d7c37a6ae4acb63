// The settings by which `doctor` and `init` know that an agent runs no hooks, held against the real agents: with them nothing of ours
// is in a request.

import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { AGENTS, calling, RealField } from './field.ts';

/** The file below the home with our hooks, and what switches them off. */
const SWITCHES: Readonly<Record<string, readonly [string, object]>> = {
  claude: ['.claude/settings.json', { disableAllHooks: true }],
  gemini: ['.gemini/settings.json', { hooksConfig: { enabled: false } }],
  qwen: ['.qwen/settings.json', { disableAllHooks: true }],
};

let field: RealField | undefined;
afterEach(async () => {
  await field?.leave();
  field = undefined;
});

test.each(Object.entries(SWITCHES).filter(([name]) => AGENTS.includes(name)))(
  '%s runs no hooks where its settings say so, and doctor names the setting',
  async (name, [path, settings]) => {
    const of = await RealField.make(name);
    field = of;
    await of.must('init', '--yes', '--agents', name);
    const isServed = async () => {
      const before = of.model.requests().length;
      of.next(calling(of.recipe.commandCall('echo one')));
      const { status, stdout, stderr } = await of.oneshot('Good morning. Run echo one, please.');
      expect(status, stdout + stderr).toBe(0);
      const requests = of.model.requests().slice(before);
      expect(requests.length).toBeGreaterThan(1);
      return requests.some(({ body }) => JSON.stringify(body).includes('[foreword startup fw_'));
    };
    expect(await isServed()).toBe(true);
    const file = join(of.scratch.home, path);
    mkdirSync(dirname(file), { recursive: true });
    const usual = existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as object) : {};
    writeFileSync(file, JSON.stringify({ ...usual, ...settings }, null, 2));
    expect(await isServed()).toBe(false);
    const { stdout } = await of.foreword('doctor', '--json');
    const { problems } = JSON.parse(stdout) as { readonly problems: readonly string[] };
    expect(problems.join('\n')).toContain(`in ${file}`);
  },
);
