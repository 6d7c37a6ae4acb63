import { expect, test } from 'vitest';
import { SETUPS } from '../../agents/setups.ts';
import type { SetupFacts } from '../../kernel/agent-setup.ts';
import type { XrayFinding } from './findings.ts';
import { withLoaded } from './loaded-files.ts';
import type { KnownText, XrayRecording, XrayRequest } from './recording.ts';
import { resultOf } from './result.ts';
import { xrayLines } from './text.ts';

const RULES = Array.from({ length: 900 }, (_, line) => `Rule ${line}: write short sentences, and test what you change.`)
  .join('\n')
  .slice(0, 40_000);

function cuts(files: Readonly<Record<string, string>>, given: readonly string[], agent = 'codex') {
  const request = (text: string, at: number): XrayRequest => ({
    moment: at === 0 ? 'first prompt' : 'second prompt',
    at,
    protocol: 'chat',
    isMain: true,
    body: { model: 'm', messages: [{ role: 'user', content: text }] },
  });
  const texts = Object.entries(files).map(
    ([name, text]): KnownText => ({ owner: { kind: 'instructions', name }, text }),
  );
  const recording: XrayRecording = {
    agent,
    version: '1.0',
    requests: given.map(request),
    baseline: [],
    hooks: [],
    runs: [],
    servers: [],
    serverRuns: [],
    texts: withLoaded(texts, SETUPS[agent] as SetupFacts),
    said: [],
    toolName: '{server}{tool}',
  };
  const found = resultOf(recording, []).findings.filter(
    (one): one is XrayFinding & { kind: 'cut' } => one.kind === 'cut',
  );
  return {
    found: found.map(({ owner, characters, of }) => [owner.name, characters, of]),
    lines: xrayLines({ findings: found }),
  };
}

test('an instruction file that is cut at a limit is named with what the model got of it', () => {
  const given = `# AGENTS.md instructions\n\n${RULES.slice(0, 32_768)}\n\nGood morning.`;
  const { found, lines } = cuts({ 'AGENTS.md': `${RULES}\n` }, [given, `${given} And more.`]);
  expect(found).toEqual([['AGENTS.md', 32_768, 40_001]]);
  expect(lines).toEqual(['The file AGENTS.md has 40,001 characters; the model got 32,768 of them.']);
});

test('a file in the home, in a folder above and in a folder of rules, and one that is imported, are looked at too', () => {
  const part = RULES.slice(0, 5000);
  for (const name of ['~/.claude/CLAUDE.md', '~/code/CLAUDE.md', 'packages/one/CLAUDE.md', '.claude/rules/tests.md'])
    expect(cuts({ [name]: RULES }, [part], 'claude').found, name).toEqual([[name, 5000, 40_000]]);
  const files = { '~/.claude/CLAUDE.md': 'Be brief.\n\n@./more/x/../rules.md\n', '~/.claude/more/rules.md': RULES };
  expect(cuts(files, [`Be brief. ${part}`], 'claude').found).toEqual([['~/.claude/more/rules.md', 5000, 40_000]]);
});

test('a whole file, one that is loaded later, and one that is not loaded at the start are not cut', () => {
  const agents = { 'AGENTS.md': RULES };
  expect(cuts(agents, [RULES]).found).toEqual([]);
  expect(cuts(agents, [RULES.slice(0, 5000), RULES.slice(5000)]).found).toEqual([]);
  expect(cuts(agents, ['Good morning.', RULES.slice(0, 5000)]).found).toEqual([]);
  expect(cuts({ '~/.codex/skills/x/SKILL.md': RULES }, [RULES.slice(0, 5000)]).found).toEqual([]);
});

test('what an agent leaves out of a file or writes otherwise is no cut', () => {
  const comment = `<!-- ${'for people, not for models. '.repeat(100)}-->`;
  const front = '---\npaths: src/**\n---\n';
  expect(cuts({ 'CLAUDE.md': `${RULES}\n${comment}` }, [RULES], 'claude').found).toEqual([]);
  expect(cuts({ 'CLAUDE.md': `${front}${RULES}` }, [RULES], 'claude').found).toEqual([]);
  expect(cuts({ 'AGENTS.md': `${RULES}\n\n@other.md` }, [`${RULES}\n\n(other.md)`]).found).toEqual([]);
});
