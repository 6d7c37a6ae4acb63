// What a person reads when the screen of tmux is gone: what ended, what runs on, and how to come back. Pure.

import type { SessionRecord } from '../../kernel/session.ts';

type Known = Pick<SessionRecord, 'id' | 'agent' | 'beside'>;

export function attachEnd(session: Known, running: readonly Known[]): readonly string[] {
  const runsOn = ({ agent, id }: Known): string => `${agent} runs on; come back with foreword attach ${id}`;
  if (running.some(({ id }) => id === session.id)) return [runsOn(session)];
  const other = running.find(({ id, beside }) => beside === session.id || id === session.beside);
  const ended = `${session.agent} has ended (session ${session.id})`;
  return other === undefined ? [ended] : [ended, runsOn(other)];
}
