// What every agent's data for the box must hold, whoever writes it.

import { describe, expect, test } from 'vitest';
import type { AgentBox } from '../kernel/agent-box.ts';
import { AGENTS } from './index.ts';

/** Modes of agents' own sandboxes. */
const SANDBOXES = ['workspace-write', 'read-only'];

/** Folders of the home that are everybody's: an agent names its own folder in them. */
const SHARED = ['~', '~/.config', '~/.local', '~/.local/share', '~/.local/state', '~/.cache'];

test('a command for the box differs from the usual one by its sandbox alone', () => {
  for (const { name, oneshot } of AGENTS) {
    const { command, readOnly, boxed } = oneshot ?? {};
    for (const [usual, inBox] of [
      [command, boxed?.command],
      [readOnly, boxed?.readOnly],
    ]) {
      const lacking = inBox === undefined ? [] : (usual?.filter((word) => !inBox.includes(word)) ?? []);
      expect(
        lacking.filter((word) => !SANDBOXES.includes(word)),
        name,
      ).toEqual([]);
    }
  }
});

test('every agent that runs tasks says what it needs of the home in a box', () => {
  const unknown = AGENTS.filter(({ oneshot, box }) => oneshot !== undefined && box === undefined);
  expect(unknown.map(({ name }) => name)).toEqual([]);
});

describe.each(AGENTS.map((agent) => [agent.name, agent.box ?? {}, agent.env] as const))('%s', (_name, box, env) => {
  const paths = [box.writable, box.readOnly, box.copied, box.asideIfNew].flatMap((list) => list ?? []);

  test('names paths of the home, each once', () => {
    for (const path of paths) expect(path).toMatch(/^(~|\$[A-Z_]+)(\/[\w.-]+)*\/?$/);
    expect(new Set(paths).size).toBe(paths.length);
  });

  test('gets the variables that move its folders', () => {
    const used = Object.keys(box.homes ?? {});
    expect(used.filter((name) => !paths.some((path) => path.startsWith(`$${name}/`)))).toEqual([]);
    // Those of the XDG rules go to every agent.
    expect(used.filter((name) => !env.includes(name) && !name.startsWith('XDG_'))).toEqual([]);
  });

  test('writes in folders of its own alone', () => {
    for (const path of box.writable ?? []) {
      expect(path, 'a rename over a mounted file fails').toMatch(/\/$/);
      expect(SHARED).not.toContain(expanded(path, box).replace(/\/$/, ''));
    }
  });
});

function expanded(path: string, { homes = {} }: AgentBox): string {
  return path.replace(/^\$([A-Z_]+)/, (_all, name: string) => homes[name] ?? '?');
}
