import { expect, test } from 'vitest';
import { fakeRecord } from '../../testing/fake-session.ts';
import { attachEnd } from './attach-end.ts';

const first = fakeRecord({ id: 's1', agent: 'claude' });
const second = fakeRecord({ id: 's2', agent: 'codex', beside: 's1' });
const stranger = fakeRecord({ id: 's3', agent: 'gemini' });

test('who leaves is told how to come back', () => {
  expect(attachEnd(first, [first, second])).toEqual(['claude runs on; come back with foreword attach s1']);
});

test('at the end of an agent the other one of its pair is named, and no stranger', () => {
  const ended = 'claude has ended (session s1)';
  expect(attachEnd(first, [second, stranger])).toEqual([ended, 'codex runs on; come back with foreword attach s2']);
  expect(attachEnd(first, [stranger])).toEqual([ended]);
  expect(attachEnd(second, [first])[1]).toBe('claude runs on; come back with foreword attach s1');
});
