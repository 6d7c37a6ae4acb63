import { describe, expect, test } from 'vitest';
import { readAgentContinuity as readContinuity } from '../context/agent-continuity.ts';
import { EMPTY } from '../context/continuity.ts';
import { fakeHosting, fakeProject } from '../testing/fake-session.ts';
import type { NewDelivery } from './delivery/record.ts';
import { runCommand } from './in-band-commands.ts';
import type { Session } from './session.ts';

function field() {
  const project = fakeProject();
  const delivered: NewDelivery[] = [];
  const deliver: Session['deliver'] = async (given) => {
    delivered.push(given);
    return given as never;
  };
  const hosting = fakeHosting(project);
  const parts = { ...hosting, context: { ...hosting.context, readContinuity }, required: 'served' } as const;
  return { project, parts, session: { deliver }, delivered };
}

describe('an agent that asks its session', () => {
  test('to load is typed the startup context as it is now', async () => {
    const { parts, session, delivered } = field();
    await runCommand(parts, session, { kind: 'load' });
    expect(delivered).toEqual([
      {
        id: expect.stringMatching(/^fw_/),
        moment: 'session-start',
        priority: 'normal',
        text: 'where we were',
        ladder: ['typed'],
        required: 'served',
      },
    ]);
  });

  test.each(['save', 'handoff'] as const)('to %s leaves its words for the next session', async (kind) => {
    const { project, parts, session, delivered } = field();
    await runCommand(parts, session, { kind, content: 'half done' });
    const [saved] = await project.stores.continuity.last(1);
    const savedAt = new Date(project.clock.now()).toISOString();
    expect(saved?.value).toEqual({ ...EMPTY, id: 'con_1', savedAt, by: 'agent', summary: 'half done' });
    expect(project.events).toEqual([{ kind: 'continuity-saved', continuity: 'con_1', by: 'agent' }]);
    expect(delivered).toEqual([]);
  });

  test('to save what cannot be read has its words kept, and is told so', async () => {
    const { project, parts, session, delivered } = field();
    await runCommand(parts, session, { kind: 'handoff', content: '{"todo": ["route"]}' });
    await runCommand(parts, session, { kind: 'save', content: '{"todo": ["route"' });
    const saved = await project.stores.continuity.last(2);
    expect(saved.map(({ value }) => value.summary)).toEqual(['{"todo":["route"]}', '{"todo": ["route"']);
    expect(delivered.map(({ text }) => text)).toEqual([
      expect.stringMatching(/^\[foreword\] Your ->continuity:handoff is saved .*plain text: todo: /),
      expect.stringMatching(/^\[foreword\] Your ->continuity:save is saved .*this is not valid JSON$/),
    ]);
  });
});
