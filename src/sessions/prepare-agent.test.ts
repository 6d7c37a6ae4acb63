import { describe, expect, test } from 'vitest';
import { ForewordError } from '../kernel/errors.ts';
import { compilePattern, makeLineMatcher } from '../system/patterns/linear.ts';
import { fakeAgent, INTERACTIVE } from '../testing/fake-session.ts';
import { checkPatterns, chooseAgent, knownVersion } from './prepare-agent.ts';

const NO_PATTERNS = { acknowledgmentPatterns: [], readinessPatterns: [] };
const ENGINE = {
  match: makeLineMatcher(),
  faultOf: (pattern: string) => {
    const compiled = compilePattern(pattern);
    return 'fault' in compiled ? compiled.fault : undefined;
  },
};
const SAMPLE = { id: 'fw_0123456789ab', text: '', code: 'kanto-river' };

function thrownBy(work: () => unknown): ForewordError {
  try {
    work();
  } catch (error) {
    if (error instanceof ForewordError) return error;
  }
  throw new Error('nothing of ours was thrown');
}

describe('choosing the agent of a session', () => {
  const agents = [fakeAgent(), { name: 'batch', env: [], errors: [] }, { ...fakeAgent(), name: 'other' }];

  test('takes one that runs in a terminal', () => {
    expect(chooseAgent(agents, 'mine', NO_PATTERNS)).toEqual(fakeAgent());
  });

  test('a misspelt name is refused with the nearest one', () => {
    const { code, message, hint } = thrownBy(() => chooseAgent(agents, 'mina', NO_PATTERNS));
    expect([code, message, hint]).toEqual([
      'bad-usage',
      'There is no agent "mina" that can be started in a terminal.',
      'Did you mean mine?',
    ]);
  });

  test('an agent without a terminal is refused with those that have one', () => {
    expect(thrownBy(() => chooseAgent(agents, 'batch', NO_PATTERNS)).hint).toBe('Agents with a terminal: mine, other.');
  });

  test("a person's own patterns for ready come after the agent's rules", () => {
    const { interactive } = chooseAgent(agents, 'mine', { ...NO_PATTERNS, readinessPatterns: ['ready!$'] });
    expect(interactive.screens).toEqual([...INTERACTIVE.screens, { state: 'ready', bottom: 'ready!$' }]);
  });
});

describe('patterns of the configuration', () => {
  test('pass when only the agent prints what they match', () => {
    checkPatterns({ acknowledgmentPatterns: ['^understood$'], readinessPatterns: ['ready!$'] }, ENGINE, SAMPLE);
  });

  test('that match what foreword sends, or do not compile, are refused together', () => {
    const patterns = { acknowledgmentPatterns: ['context received'], readinessPatterns: ['(a', 'please review'] };
    const { code, faults } = thrownBy(() => checkPatterns(patterns, ENGINE, SAMPLE));
    expect(code).toBe('bad-config');
    expect(faults.map(({ path, message }) => `${path}: ${message.split(': ')[0]}`)).toEqual([
      'injection.acknowledgmentPatterns: context received matches what foreword itself sends',
      'injection.readinessPatterns: (a is not a pattern that ends in linear time',
      'injection.readinessPatterns: please review matches what foreword itself sends',
    ]);
  });
});

describe('the version of the program', () => {
  const agent = fakeAgent({ screensFrom: { version: '1.2.3' } });
  const known = (version: string | undefined, isTried = false) =>
    knownVersion(agent, { version, isTried: () => isTried });

  test('is measured where the screens were recorded with it, or verify tried it here', () => {
    expect(known('1.2.3')).toEqual({ isMeasured: true });
    expect(known('1.2.4', true)).toEqual({ isMeasured: true });
  });

  test('is not where it is another one or nobody knows, and the command that measures it is named', () => {
    expect(known('1.2.4')).toEqual({
      isMeasured: false,
      caution: 'version 1.2.4 was not measured; foreword verify mine measures it',
    });
    expect(known(undefined).caution).toBe('its version is not known; foreword verify mine measures it');
  });

  test('of an agent whose screens nobody saw is never measured, and the reason says so', () => {
    const { isMeasured, caution } = knownVersion(fakeAgent({ screensFrom: 'documents' }), {
      version: '1.2.3',
      isTried: () => true,
    });
    expect(isMeasured).toBe(false);
    expect(caution).toBe('its screens are known from documents only, not from mine itself');
    expect(knownVersion(fakeAgent(), { version: '1.2.3', isTried: () => true })).toEqual({ isMeasured: false });
  });
});
