// What an agent asks of its session by lines of its answers, when the conversation has answers of before the session.

import { expect, test } from 'vitest';
import type { TranscriptText } from '../kernel/transcript.ts';
import { makeLineMatcher } from '../system/patterns/linear.ts';
import { fakePlace, fakePrepared, fakeProject, fakeScreen, fakeTerminal } from '../testing/fake-session.ts';
import type { InBandCommand } from './in-band.ts';
import { deliveryRules } from './prepare-agent.ts';
import { openSession } from './session.ts';

const MINUTE = 60_000;

async function field() {
  const project = fakeProject();
  const { agent } = fakePrepared(fakePlace());
  const startedAt = project.clock.now();
  const asked: InBandCommand[] = [];
  let written: readonly TranscriptText[] = [];
  const open = () =>
    openSession({
      id: 's1',
      agent,
      terminal: fakeTerminal(),
      screen: fakeScreen(),
      match: makeLineMatcher(),
      clock: project.clock,
      stores: project.stores,
      emit: (event) => project.emit(event),
      newId: project.newId,
      rules: deliveryRules(agent.interactive, project.config.injection),
      queueSize: 100,
      ackPatterns: [],
      startedAt,
      transcript: {
        poll: async () => {
          const texts = written;
          written = [];
          return texts;
        },
      },
      onCommand: (command) => void asked.push(command),
      onFault: (error) => expect.fail(String(error)),
    });
  const answered = (text: string, minutes: number): void => {
    const at = new Date(startedAt + minutes * MINUTE).toISOString();
    written = [...written, { kind: 'answer', role: 'assistant', text, at, evidence: 'log:1' }];
  };
  return { open, asked, answered };
}

const SAVE = '->continuity:save <<<old>>>';

test.each([SAVE, '->continuity:handoff <<<old>>>', '->continuity:load'])(
  'a conversation that is resumed does not ask again for what it asked then: %s',
  async (text) => {
    const { open, asked, answered } = await field();
    const session = await open();
    answered(text, -30);
    await session.talk();
    expect(asked).toEqual([]);
    answered(text, 1);
    await session.talk();
    expect(asked).toHaveLength(1);
    await session.close();
  },
);

test('what it asked while its host was dead counts when another host takes the session over, once', async () => {
  const { open, asked, answered } = await field();
  answered(SAVE, -30);
  answered('->continuity:save <<<new>>>', 2);
  const session = await open();
  await session.takeOver();
  await session.talk();
  expect(asked).toEqual([{ kind: 'save', content: 'new' }]);
  await session.close();
});
