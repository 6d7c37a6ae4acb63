import { expect, test } from 'vitest';
import { cellWidth } from './cell-width.ts';

const widths = (text: string) => [...text].map((character) => cellWidth(character.codePointAt(0) ?? 0));

test('letters, box drawing and the signs of agents take one cell', () => {
  expect(widths('aé│─╭❯›⏵●✻…–“\u00ad\ue0a0')).toEqual(Array(15).fill(1));
});

test('East Asian characters and emoji take two', () => {
  expect(widths('你好ｱＡ、한ひ🀄😀👍✅⌚🚀㊙𠀀')).toEqual([2, 2, 1, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2]);
});

test('marks, joiners and control characters take none', () => {
  expect(widths('\u0301\u200b\u200d\ufe0f\u20dd\u1160\x00\x1b\x7f\x9b')).toEqual(Array(10).fill(0));
});

test('half a flag takes one cell, as in terminals that do not join them', () => {
  expect(widths('🇩🇪')).toEqual([1, 1]);
});
