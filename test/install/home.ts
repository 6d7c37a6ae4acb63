// A home and a project of their own for tests of init and uninstall, on real files.

import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { expect } from 'vitest';
import { type Applied, applyPlan } from '../../src/install/apply.ts';
import { type InstalledHooks, installedHooks } from '../../src/install/check.ts';
import { DISK, type WritableFiles } from '../../src/install/disk.ts';
import { type InstallOptions, type InstallPlan, planInstall } from '../../src/install/plan.ts';
import type { Machine } from '../../src/install/plan-file.ts';
import { planUninstall } from '../../src/install/plan-uninstall.ts';
import { openRecords } from '../../src/install/records.ts';
import type { Scope, Target } from '../../src/install/target.ts';
import { TARGETS } from '../../src/install/targets.ts';
import { ensureFolder } from '../../src/system/files/own-folder.ts';

type More = Partial<InstallOptions> & { readonly hook?: string };

export interface Home {
  readonly base: string;
  readonly home: string;
  /** A project in the home, in git. */
  readonly root: string;
  machine(): Machine;
  /** The folder of the records. */
  state(): string;
  /** Names separated by commas, or `all`. */
  chosen(names: string): readonly Target[];
  plan(names: string, more?: More): InstallPlan;
  apply(plan: InstallPlan, files?: WritableFiles): Promise<Applied>;
  /** Plans and applies; nothing may be refused. */
  init(names: string, more?: More): Promise<InstallPlan>;
  uninstall(names?: string, scopes?: readonly Scope[]): Promise<InstallPlan>;
  /** What doctor is told, by agent. */
  check(hook?: string, isOnPath?: boolean): Readonly<Record<string, InstalledHooks>>;
  /** A file below the home. */
  put(name: string, text: string): void;
  text(name: string): string;
  /** Every file and folder below the home with its hash. */
  everything(): Readonly<Record<string, string>>;
  /** Puts settings of many agents there, with other tools' hooks in them. */
  lived(): void;
  remove(): void;
}

export function makeHome(): Home {
  const base = mkdtempSync(join(tmpdir(), 'foreword-install-'));
  const home = join(base, 'home');
  const root = join(home, 'shop');
  mkdirSync(join(root, '.git'), { recursive: true });
  writeFileSync(join(root, '.git/HEAD'), 'ref: refs/heads/main\n');
  const state = () => join(base, 'state/installed');
  const one: Home = {
    base,
    home,
    root,
    state,
    machine: () => ({ places: { home, root, env: {} }, files: DISK, records: openRecords(state()) }),
    chosen: (names) => TARGETS.filter(({ agent }) => names === 'all' || names.split(',').includes(agent)),
    plan: (names, { hook = '/opt/foreword-hook', ...more } = {}) =>
      planInstall({
        ...one.machine(),
        targets: one.chosen(names),
        scope: 'user',
        starters: [],
        words: (event, agent) => [hook, event, agent],
        ...more,
      }),
    apply: (plan, files = DISK) =>
      applyPlan(plan.changes, { ...one.machine(), files, lockFolder: state(), ensureFolder }),
    init: async (names, more) => {
      const plan = one.plan(names, more);
      expect(plan.faults).toEqual([]);
      expect((await one.apply(plan)).refused).toEqual([]);
      return plan;
    },
    uninstall: async (names = 'all', scopes = ['user', 'project']) => {
      const targets = one.chosen(names);
      const plan = planUninstall({ ...one.machine(), targets, scopes, withStarters: names === 'all' });
      await one.apply(plan);
      return plan;
    },
    check: (hook = '/opt/foreword-hook', isOnPath = true) => {
      const words = (event: string, agent: string) => [hook, event, agent];
      const states = installedHooks({ ...one.machine(), targets: TARGETS, words, isOnPath });
      return Object.fromEntries(states.map((state) => [state.agent, state]));
    },
    put: (name, text) => {
      mkdirSync(dirname(join(home, name)), { recursive: true });
      writeFileSync(join(home, name), text);
    },
    text: (name) => readFileSync(join(home, name), 'utf8'),
    everything: () => {
      const entries = readdirSync(home, { recursive: true, withFileTypes: true }).map((entry) => {
        const path = join(entry.parentPath, entry.name);
        const what = entry.isFile() ? createHash('sha256').update(readFileSync(path)).digest('hex') : 'other';
        return [relative(home, path), what] as const;
      });
      return Object.fromEntries(entries);
    },
    lived: () => {
      for (const [name, text] of Object.entries(LIVED)) one.put(name, text);
    },
    remove: () => rmSync(base, { recursive: true }),
  };
  return one;
}

export const CLAUDE = `{
  // mine
  "env": { "ANTHROPIC_API_KEY": "sk-secret" },
  "hooks": {
    "PreToolUse": [
      { "matcher": "Bash", "hooks": [{ "type": "command", "command": "~/guard.sh" }] }
    ],
    "Notification": []
  }
}
`;
export const CODEX_TOML = 'model = "x"\n\n[[hooks.Stop]]\n[[hooks.Stop.hooks]]\ntype = "command"\ncommand = "notify"\n';

const LIVED = {
  '.claude/settings.json': CLAUDE,
  '.codex/config.toml': CODEX_TOML,
  '.cursor/hooks.json': '{"version":1,"hooks":{"stop":[{"command":"a"}]}}',
  '.gemini/settings.json': '{\r\n\t"ui": {}\r\n}',
  '.qwen/settings.json': '{}',
  '.config/crush/crush.json': '{"hooks":{}}\n',
  '.config/opencode/opencode.json': '{}\n',
  '.pi/agent/settings.json': '{}\n',
  '.config/goose/.goosehints': 'Be kind.',
  'shop/AGENTS.md': '# Rules\n',
  'shop/.context/TASKS.md': '# Tasks\n',
  'shop/.aider.conf.yml': 'model: x\n',
};
