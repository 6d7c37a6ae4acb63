import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { runProcess } from '../system/processes/run-process.ts';
import { examinePlugIns } from './installed-plug-ins.ts';
import type { InstallHost } from './machine.ts';
import { TARGETS } from './targets.ts';

let home = '';
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'foreword-plug-ins-'));
});
afterEach(() => rmSync(home, { recursive: true }));

const put = (name: string, text: string) => {
  mkdirSync(dirname(join(home, name)), { recursive: true });
  writeFileSync(join(home, name), text);
};
const found = (PATH = dirname(process.execPath)) =>
  examinePlugIns(
    home,
    { env: { HOME: home, PATH }, homedir: home, targets: TARGETS } as unknown as InstallHost,
    runProcess,
  );

/** As the hosts leave their homes after their own commands (Claude Code 2.1.325, Codex 0.166.0, Copilot 1.0.102, Qwen 0.24.4,
 *  Gemini 0.61.0); test/real/plugins.test.ts asks the real ones. */
function installAll(): void {
  put('.claude/settings.json', '{ "enabledPlugins": { "foreword@foreword": true } }');
  put('.claude/plugins/cache/foreword/foreword/0.9.0/.claude-plugin/plugin.json', '{ "version": "0.9.0" }');
  put('.claude/plugins/cache/foreword/foreword/0.10.0/.claude-plugin/plugin.json', '{ "version": "0.10.0" }');
  put('.codex/config.toml', '[plugins."foreword@foreword"]\nenabled = false\n');
  put('.codex/plugins/cache/foreword/foreword/0.2.0/.codex-plugin/plugin.json', '{ "version": "0.2.0" }');
  const source = `{ "foreword": { "source": { "source": "directory", "path": ${JSON.stringify(join(home, 'all'))} } } }`;
  put(
    '.copilot/settings.json',
    `{ "extraKnownMarketplaces": ${source}, "enabledPlugins": { "foreword@foreword": true } }`,
  );
  put('all/foreword/.plugin/plugin.json', '{ "version": "0.2.0" }');
  put('.qwen/extensions/foreword/qwen-extension.json', '{ "version": "0.1.0" }');
  put('.gemini/extensions/foreword/gemini-extension.json', '{ "version": "0.2.0" }');
}

test('each host is known by its own files: version, and whether it is switched on; nothing is written', async () => {
  installAll();
  const before = readdirSync(home, { recursive: true });
  const { plugIns, node } = await found();
  expect(plugIns.map(({ agent, version, isEnabled }) => [agent, version, isEnabled])).toEqual([
    ['claude', '0.10.0', true],
    ['codex', '0.2.0', false],
    ['copilot', '0.2.0', true],
    ['gemini', '0.2.0', true],
    ['qwen', '0.1.0', true],
  ]);
  expect(plugIns[0]?.cure).toMatch(
    /^claude plugin uninstall foreword@foreword, .*claude plugin marketplace add PLUGINS/,
  );
  expect(node).toBe(process.versions.node);
  expect(readdirSync(home, { recursive: true })).toEqual(before);
});

test('a copy that a host keeps after the removal is no plug-in, and without plug-ins no Node is asked', async () => {
  put('.claude/plugins/cache/foreword/foreword/0.2.0/.claude-plugin/plugin.json', '{ "version": "0.2.0" }');
  expect(await found()).toEqual({ plugIns: [] });
});

test('the name that Copilot CLI leaves switched off after the removal is no plug-in', async () => {
  put('.copilot/settings.json', '{ "extraKnownMarketplaces": {}, "enabledPlugins": { "foreword@foreword": false } }');
  expect(await found()).toEqual({ plugIns: [] });
});

test('without Node, or with a manifest that cannot be read, the rest is still said', async () => {
  put('.claude/settings.json', '{ "enabledPlugins": { "foreword@foreword": true } }');
  put('.qwen/extensions/foreword/qwen-extension.json', '{ broken');
  const { plugIns, node } = await found('/nowhere');
  expect(plugIns).toMatchObject([{ agent: 'claude', isEnabled: true }]);
  expect([plugIns[0]?.version, node]).toEqual([undefined, undefined]);
});
