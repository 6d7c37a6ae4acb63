// Any file, any body, any order of what a person, a crash and we do to it.

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { scaled } from '../../../../test/scale.ts';
import { sha256 } from '../../../system/sha256.ts';
import { type ManagedBlock, managedBlocks } from './managed-block.ts';
import { BEGIN, END } from './managed-block-scan.ts';

const { findBlock, insertBlock, removeBlock } = managedBlocks(sha256);

const bytesOf = (content: string) => Uint8Array.from(Buffer.from(content, 'latin1'));
const textOf = (file: Uint8Array) => Buffer.from(file).toString('latin1');

/** Bytes as they stand in files, and bytes that are meant to confuse. */
const piece = fc.oneof(
  { weight: 4, arbitrary: fc.string({ maxLength: 12 }) },
  { weight: 3, arbitrary: fc.constantFrom('\n', '\r\n', '\r', '\n\n', ' ', '\t', '```\n', '~~~', '    ') },
  { weight: 1, arbitrary: fc.constantFrom(BEGIN, END, `${BEGIN}\n`, `${END}\n`, '<!--', '-->', '## Session Context') },
  { weight: 1, arbitrary: fc.constantFrom('\u00ef\u00bb\u00bf', '\u00ff\u00fe', '\u00c3\u0028', '\u0000', '$&', '$1') },
  { weight: 1, arbitrary: fc.uint8Array({ maxLength: 12 }).map(textOf) },
);
const anyText = fc
  .array(piece, { maxLength: 12 })
  .map((pieces) => Buffer.from(pieces.join(''), 'latin1').toString('latin1'));
const plainText = anyText.map((text) => text.replaceAll('`', "'").replaceAll('~', '-').replaceAll('<!--', '<--'));

const anyBlock: fc.Arbitrary<ManagedBlock> = fc.record({
  id: fc.stringMatching(/^fw_[a-z0-9]{4}$/),
  body: fc.oneof(anyText, fc.string({ unit: 'binary', maxLength: 12 })),
  expiresAt: fc.constantFrom('2026-11-16T10:00:00.000Z', '2027-01-01T00:00:00Z'),
});

test('taking out what was put in gives back every file to the byte, or the file is refused untouched', () => {
  let written = 0;
  fc.assert(
    fc.property(fc.option(anyText, { nil: undefined }), anyBlock, anyBlock, (content, block, other) => {
      const file = content === undefined ? undefined : bytesOf(content);
      const first = insertBlock(file, block);
      if (first.kind === 'refused') return;
      written += 1;
      expect(textOf(first.bytes).startsWith(content ?? '')).toBe(true);
      const again = insertBlock(first.bytes, block);
      expect(again.kind === 'written' && textOf(again.bytes)).toBe(textOf(first.bytes));
      const second = insertBlock(first.bytes, other);
      if (second.kind === 'refused') throw new Error(second.reason);
      expect(findBlock(second.bytes)).toMatchObject({ kind: 'found', id: other.id });
      const removed = removeBlock(second.bytes);
      expect(removed).toMatchObject({ kind: 'removed', id: other.id });
      expect('bytes' in removed ? textOf(removed.bytes ?? bytesOf('')) : undefined).toBe(content);
    }),
    { numRuns: scaled(40_000) },
  );
  // Most files are not refused, or this would prove little.
  expect(written).toBeGreaterThan(scaled(40_000) * 0.7);
});

test('edits above and below the block stay, whatever is written or removed, and the block is found again', () => {
  const edit = fc.record({ isAbove: fc.boolean(), at: fc.nat(), text: plainText });
  const step = fc.oneof(edit, anyBlock);
  fc.assert(
    fc.property(plainText, anyBlock, fc.array(step, { maxLength: 6 }), (content, block, steps) => {
      fc.pre(!/^(\u00ff\u00fe|\u00fe\u00ff)/.test(content));
      const first = insertBlock(bytesOf(content), block);
      if (first.kind === 'refused') throw new Error(first.reason);
      let above = content;
      const between = content !== '' && !content.endsWith('\n') ? (/^[^\n]*\r\n/.test(content) ? '\r\n' : '\n') : '';
      let middle = textOf(first.bytes).slice(content.length + between.length);
      let below = '';
      let last = block.id;
      for (const now of steps) {
        if ('body' in now) {
          const next = insertBlock(bytesOf(above + between + middle + below), now);
          if (next.kind === 'refused') throw new Error(next.reason);
          const all = textOf(next.bytes);
          expect(all.startsWith(above + between) && all.endsWith(below)).toBe(true);
          middle = all.slice(above.length + between.length, all.length - below.length);
          expect(middle.startsWith(BEGIN) && middle.endsWith(`${END}${middle.includes('\r\n') ? '\r\n' : '\n'}`)).toBe(
            true,
          );
          last = now.id;
        } else if (now.isAbove) {
          // A line end of its own: what a person writes before the marker is a line.
          const at = now.at % (above.length + 1);
          const grown = above.slice(0, at) + now.text + above.slice(at);
          if (between !== '' || /\n$/.test(grown)) above = grown;
          if (/^(\u00ff\u00fe|\u00fe\u00ff)/.test(above)) return;
        } else
          below = below.slice(0, now.at % (below.length + 1)) + now.text + below.slice(now.at % (below.length + 1));
      }
      const removed = removeBlock(bytesOf(above + between + middle + below), { id: last });
      if (removed.kind !== 'removed' || removed.bytes === undefined) throw new Error(JSON.stringify(removed));
      expect(textOf(removed.bytes)).toBe(above + (below === '' ? '' : between) + below);
    }),
    { numRuns: scaled(30_000) },
  );
});

test('torn, doubled and edited blocks never cost a person a line', () => {
  const harm = fc.record({
    kind: fc.constantFrom('torn', 'doubled', 'cut', 'edited'),
    from: fc.nat(),
    length: fc.nat({ max: 80 }),
  });
  const step = fc.oneof(harm, anyBlock, fc.constant('remove' as const), fc.constant('line' as const));
  fc.assert(
    fc.property(fc.array(step, { maxLength: 10 }), (steps) => {
      let file = bytesOf('MINE 0\n');
      let lines = ['MINE 0'];
      for (const [index, now] of steps.entries()) {
        const content = textOf(file);
        if (now === 'line') {
          file = bytesOf(`${content}${content === '' || content.endsWith('\n') ? '' : '\n'}MINE ${index + 1}\n`);
          lines.push(`MINE ${index + 1}`);
        } else if (now === 'remove') {
          const removed = removeBlock(file);
          if (removed.kind === 'removed' && removed.bytes !== undefined) file = Uint8Array.from(removed.bytes);
        } else if ('body' in now) {
          const body = now.body.replaceAll('MINE', 'OURS');
          const inserted = insertBlock(file, { ...now, body });
          if (inserted.kind === 'written') file = Uint8Array.from(inserted.bytes);
        } else file = harmed(content, now);
        // What the harm itself did is not ours.
        if (typeof now === 'object' && 'kind' in now) lines = mine(file);
        expect(mine(file)).toEqual(lines);
      }
    }),
    { numRuns: scaled(30_000) },
  );
});

/** The person's lines, in order. */
function mine(file: Uint8Array): string[] {
  return textOf(file)
    .split('\n')
    .filter((line) => /^MINE \d+$/.test(line));
}

function harmed(content: string, harm: { readonly kind: string; readonly from: number; readonly length: number }) {
  const at = harm.from % (content.length + 1);
  if (harm.kind === 'torn') return bytesOf(content.slice(0, at));
  if (harm.kind === 'cut') return bytesOf(content.slice(0, at) + content.slice(at + harm.length));
  if (harm.kind === 'edited') return bytesOf(`${content.slice(0, at)}!${content.slice(at)}`);
  const [start, end] = [content.indexOf(BEGIN), content.indexOf(END)];
  return bytesOf(start === -1 || end < start ? content : content + content.slice(start, end + END.length + 1));
}

test('a thousand writes leave a file as long as one does', () => {
  const block = { id: 'fw_a', body: 'the same', expiresAt: '2026-11-16T10:00:00.000Z' };
  let file: Uint8Array = bytesOf('# Rules\n');
  const sizes = new Set<number>();
  for (let round = 0; round < 1000; round += 1) {
    const inserted = insertBlock(file, block);
    if (inserted.kind === 'refused') throw new Error(inserted.reason);
    file = inserted.bytes;
    sizes.add(file.length);
  }
  expect(sizes.size).toBe(1);
});

test('where a greedy pattern takes the text between two blocks, or behind a torn one, nothing is touched', () => {
  const block = { id: 'fw_a', body: 'x', expiresAt: '2026-11-16T10:00:00.000Z' };
  const greedy = (content: string) =>
    content.replace(/<!-- STARTUP_CONTEXT_INJECTION -->[\s\S]*<!-- END_STARTUP_CONTEXT -->/, '');
  const foreign = `${BEGIN}\nold\n${END}\n`;
  const between = `${foreign}MY RULES\n${foreign}`;
  const torn = `${BEGIN}\nhalf of it\nMY RULES\n${foreign}`;
  for (const content of [between, torn]) {
    expect(greedy(content)).not.toContain('MY RULES');
    expect(insertBlock(bytesOf(content), block)).toMatchObject({ kind: 'refused' });
    expect(removeBlock(bytesOf(content))).toMatchObject({ kind: 'refused' });
  }
});
