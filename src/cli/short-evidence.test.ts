import { expect, test } from 'vitest';
import { roomBeside, shortEvidence } from './short-evidence.ts';

const EVIDENCE = '/home/ada/.claude/projects/-home-ada-shop/0f3d.jsonl:12';

test('evidence that fits, or goes to a pipe, is as it is; on a narrow terminal a path loses its folders', () => {
  expect(shortEvidence(EVIDENCE, undefined)).toBe(EVIDENCE);
  expect(shortEvidence(EVIDENCE, 60)).toBe(EVIDENCE);
  expect(shortEvidence(EVIDENCE, 30)).toBe('…/0f3d.jsonl:12');
  expect(shortEvidence(`seen in ${EVIDENCE}`, 30)).toBe('seen in …/0f3d.jsonl:12');
  expect(shortEvidence('the composer shows it', 5)).toHaveLength(20);
  expect(shortEvidence('x'.repeat(200), 150)).toHaveLength(70);
});

test('the room is what the other columns leave', () => {
  expect(roomBeside(['id', 'proof'], [['fw_1', 'served']], 40)).toBe(40 - (4 + 2) - (6 + 2));
});
