// Requests that real agents sent with a planted set-up, the agent's own words shortened: xray.json in their folders. The whole session with the real
// agent is in test/real/.

import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { XrayFinding } from './findings.ts';
import { SAID } from './play-session.ts';
import type { XrayRecording } from './recording.ts';
import { resultOf } from './result.ts';

const FOLDER = join(import.meta.dirname, '../../agents');
/** `planted`: the owners of an agent whose hooks are no commands, by the command that does the same with the others. */
interface Recorded extends XrayRecording {
  readonly planted?: Readonly<Record<string, string>>;
  /** What is planted as a clock stands in the instructions, so that every turn begins anew. */
  readonly breaksEachTurn?: true;
}

const recorded = readdirSync(FOLDER)
  .map((name) => join(FOLDER, name, 'xray.json'))
  .filter((file) => existsSync(file))
  .map((file): Recorded => ({ ...JSON.parse(readFileSync(file, 'utf8')), said: SAID }));

describe.each(recorded)('$agent $version', (recording) => {
  const { requests, findings, cache } = resultOf(recording, []);
  const named = (kind: XrayFinding['kind']) =>
    findings
      .filter((one) => one.kind === kind)
      .flatMap((one) => ('owners' in one ? one.owners : 'owner' in one ? [one.owner] : []))
      .map(({ name }) => name);
  const own = (command: string) => (recording.planted === undefined ? command : recording.planted[command]);
  const owners = (...commands: readonly string[]) => commands.flatMap((command) => own(command) ?? []);
  /** Characters without what the agent wrote around them. */
  const size = (command: string, at = 0) => {
    const name = own(command) ?? command;
    const part = requests[at]?.parts.find(({ owner }) => owner.name === name);
    return (part?.characters ?? 0) - (part?.frame ?? 0);
  };

  test('the parts of each request add up to it, and little has no owner', () => {
    for (const { characters, parts } of requests) {
      expect(parts.reduce((sum, part) => sum + part.characters, 0)).toBe(characters);
      expect(parts.find(({ owner }) => owner.kind === 'unknown')?.characters ?? 0).toBeLessThan(250);
    }
  });

  test('each planted text has its owner and its size', () => {
    expect(size('cat big.json')).toBe(600);
    expect(size('echo same') + size('printf same')).toBeGreaterThanOrEqual(61);
    for (const { owner, text } of recording.texts)
      expect(size(owner.name) / text.replace(/@\S+/, '').trim().length).toBeCloseTo(1, 1);
    expect(size('many')).toBeGreaterThan(0);
  });

  test('each planted fault is found with its owner', () => {
    expect(named('cache')).toEqual(owners('date'));
    expect(named('lost')).toEqual(expect.arrayContaining(owners('echo dropped', 'echo log')));
    expect(named('slow')).toEqual(owners('sleep 1.2'));
    expect(named('failed')).toEqual(owners('exit 1'));
    expect(named('twice')).toEqual(expect.arrayContaining(owners('echo same', 'printf same')));
    const isWhole = cache.steps.slice(0, -1).map(({ broken }) => broken === undefined);
    expect(isWhole).toEqual(isWhole.map(() => recording.breaksEachTurn !== true));
  });
});
