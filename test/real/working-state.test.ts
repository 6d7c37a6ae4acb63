// After a compaction the agent is given what this session did, in the very next request: 15 facts are planted, and at least 14 must
// stand in what we put there, which is at most 2 KiB.

import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import type { LabCall } from '../../src/kernel/agent-lab.ts';
import { IS_LONG } from '../scale.ts';
import { AGENTS, calling, RealField, takesLaunchHooks } from './field.ts';
import { compact, longAnswer, type } from './keys.ts';

/** Those with an event for it; of Codex the next prompt is one. It is left to the long run. */
const WITH_STATE = ['claude', 'opencode', 'pi', ...(IS_LONG ? ['codex'] : [])];
const ROUNDS = IS_LONG ? 20 : 1;
/** What is kept as it is must not be everything: pi keeps the last 20,000 tokens. */
const LENGTHS: Readonly<Record<string, number>> = { pi: 4000 };

let field: RealField | undefined;
afterEach(async () => {
  await field?.leave();
  field = undefined;
});

/** In the mode it starts in, it asks a service whether a command may run. */
const UNASKED: Readonly<Record<string, readonly string[]>> = {
  claude: ['--permission-mode', 'acceptEdits', '--allowedTools', 'Bash'],
};

const PROMPTS = ['begin with the ledger', 'now the invoices please', 'round to cents', 'check the currency table'];
const FILES = ['src/ledger.ts', 'src/invoice.ts', 'src/cents.ts', 'src/currency.ts'];

for (let round = 1; round <= ROUNDS; round += 1)
  test.each(AGENTS.filter((name) => WITH_STATE.includes(name)))(
    `%s is given what this session did right after a compaction, time ${round}`,
    async (name) => {
      const of = await RealField.make(name);
      field = of;
      mkdirSync(join(of.scratch.project, 'src'));
      writeFileSync(join(of.scratch.project, 'package.json'), '{ "scripts": { "build": "true", "test": "true" } }\n');
      if (!takesLaunchHooks(name)) await of.must('init', '--yes', '--agents', name);
      const { ran } = await of.startWith(UNASKED[name] ?? of.scratch.terminalArgs, ['--wait', 'acknowledged']);
      expect(ran.status, ran.stdout + ran.stderr).toBe(0);
      const { commandCall } = of.recipe;
      const commands = [
        ['npm run build -- --fast', 'true'],
        ['npm test -- invoices'],
        ['npm run build -- --all; echo "error TS2304: Cannot find name Cents"; exit 2'],
        ['npm test -- currency; echo "AssertionError: expected EUR to be USD"; exit 1'],
      ];
      for (const [index, prompt] of PROMPTS.entries()) {
        const path = FILES[index] ?? '';
        for (const call of edits(of, path, index === 0 ? 2 : 1)) of.next(calling(call));
        for (const command of commands[index] ?? []) of.next(calling(commandCall(command)));
        of.next({ kind: 'text', text: longAnswer(LENGTHS[name] ?? 300) });
        await type(of, prompt);
      }
      const facts = [
        ...PROMPTS.map((prompt) => `"${prompt}"`),
        ...FILES,
        'src/ledger.ts (2 edits)',
        'Tests failing: `npm test -- currency',
        'AssertionError: expected EUR to be USD',
        'npm test -- invoices',
        'Build failing: `npm run build -- --all',
        'npm run build -- --fast',
        'Not committed',
      ];
      expect(facts).toHaveLength(15);
      await compact(of);
      const before = of.turns().length;
      await type(of, 'go on');
      const next = of.turns()[before];
      const [given = ''] = stateBlocks(next);
      const found = facts.filter((fact) => given.includes(fact));
      expect(
        found.length,
        `${facts.filter((fact) => !given.includes(fact)).join('\n')}\n---\n${given}`,
      ).toBeGreaterThanOrEqual(14);
      const [state = ''] = /## This session so far[\s\S]*?(?=\n## |$)/.exec(given) ?? [];
      expect(state.length).toBeLessThanOrEqual(2048 + 30);
    },
  );

/** Blocks of ours that say what this session did, each once. */
function stateBlocks(request: ReturnType<RealField['turns']>[number] | undefined): string[] {
  const texts = request?.texts.filter(({ role }) => role !== 'assistant').map(({ text }) => text) ?? [];
  const blocks = texts.flatMap(
    (text) => text.match(/\[foreword startup fw_\w+\][\s\S]*?\[end of foreword startup fw_\w+\]/g) ?? [],
  );
  return [...new Set(blocks)].filter((block) => block.includes('## This session so far'));
}

function edits(of: RealField, path: string, times: number): readonly LabCall[] {
  const { agent, fileCall } = of.recipe;
  return Array.from({ length: times }, (_, index) => {
    const text = `export const part = ${index};`;
    if (agent !== 'codex') return fileCall(join(of.scratch.project, path), `${text}\n`);
    const patch = `*** Begin Patch\n*** Add File: ${path}\n+${text}\n*** End Patch`;
    return { tool: 'exec_command', input: { cmd: `apply_patch <<'EOP'\n${patch}\nEOP` } };
  });
}
