import { describe, expect, test } from 'vitest';
import { chooseInstructionFile, INSTRUCTION_FILES, INSTRUCTION_PATHS, instructionRuleFor } from './instruction-file.ts';

const chosen = (agent: string, existing: readonly string[]) => {
  const answer = chooseInstructionFile(INSTRUCTION_FILES[agent] ?? { places: [] }, existing);
  return answer.kind === 'none' ? answer.reason : `${answer.creates ? 'creates' : 'uses'} ${answer.path}`;
};

describe('nothing is created that turns another file off', () => {
  test.each([
    ['claude', [], 'creates CLAUDE.local.md'],
    ['claude', ['CLAUDE.md'], 'creates CLAUDE.local.md'],
    ['claude', ['CLAUDE.local.md', 'AGENTS.md'], 'uses CLAUDE.local.md'],
    ['claude', ['AGENTS.md'], 'creates .claude/rules/foreword.md'],
    ['codex', [], 'creates AGENTS.md'],
    ['codex', ['AGENTS.md'], 'uses AGENTS.md'],
    ['codex', ['AGENTS.md', 'AGENTS.override.md'], 'uses AGENTS.override.md'],
    ['codex', ['CLAUDE.md'], 'creating AGENTS.md would turn CLAUDE.md off'],
    ['opencode', ['CLAUDE.md', 'CONTEXT.md'], 'uses CLAUDE.md'],
    ['opencode', ['AGENTS.md', 'CLAUDE.md'], 'uses AGENTS.md'],
    ['pi', ['CLAUDE.md'], 'uses CLAUDE.md'],
    ['amp', ['AGENT.md'], 'uses AGENT.md'],
    ['gemini', ['AGENTS.md'], 'creates GEMINI.md'],
    ['qwen', ['QWEN.md', 'AGENTS.md'], 'creates .qwen/QWEN.local.md'],
    ['copilot', ['AGENTS.md', 'CLAUDE.md'], 'creates .github/copilot-instructions.md'],
    ['crush', ['AGENTS.md'], 'creates CRUSH.local.md'],
  ])('%s with %j %s', (agent, existing, expected) => {
    expect(chosen(agent, existing)).toBe(expected);
  });
});

test('an agent that needs the name of the file has a flag for it', () => {
  expect(chooseInstructionFile(INSTRUCTION_FILES.aider ?? { places: [] }, [])).toEqual({
    kind: 'chosen',
    path: '.foreword/aider.local.md',
    creates: true,
    isLocal: true,
    needsArguments: ['--read', '.foreword/aider.local.md'],
  });
});

test('an agent of which nothing is known, or whose files are not there, gets no block', () => {
  expect(chosen('none', ['AGENTS.md'])).toBe('it reads no instruction file that is there');
  expect(chooseInstructionFile({ places: [{ path: 'X.md' }] }, [])).toMatchObject({ kind: 'none' });
});

test("an agent of one's own names its file, and AGENTS.md is as careful there", () => {
  expect(chooseInstructionFile(instructionRuleFor('MINE.md'), ['CLAUDE.md'])).toMatchObject({ path: 'MINE.md' });
  expect(chooseInstructionFile(instructionRuleFor('AGENTS.md'), ['CLAUDE.md'])).toMatchObject({ kind: 'none' });
});

test('every path is one below the project', () => {
  for (const path of INSTRUCTION_PATHS) expect(path).toMatch(/^(?!.*\.\.)[A-Za-z.][A-Za-z0-9./-]+$/);
});
