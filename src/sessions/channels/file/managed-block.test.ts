import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { sha256 } from '../../../system/sha256.ts';
import { MAX_BLOCK_BYTES, managedBlocks } from './managed-block.ts';
import { blockBody } from './managed-block-body.ts';

const { findBlock, insertBlock, removeBlock } = managedBlocks(sha256);

const BLOCK = { id: 'fw_k3v9', body: 'Current task: the health endpoint.', expiresAt: '2026-11-16T10:00:00.000Z' };

test('a file that is not there becomes one that holds the block alone, and goes away with it', () => {
  const made = write(undefined, BLOCK);
  expect(text(made)).toMatchInlineSnapshot(`
    "<!-- STARTUP_CONTEXT_INJECTION -->
    ## Session Context (Auto-Injected)
    [fw_k3v9] expires 2026-11-16T10:00:00.000Z, before nothing, file new, checksum fe84751db2e68336

    Current task: the health endpoint.
    <!-- END_STARTUP_CONTEXT -->
    "
  `);
  expect(findBlock(made)).toEqual({ kind: 'found', ...BLOCK, line: 1 });
  expect(removeBlock(made)).toEqual({ kind: 'removed', id: 'fw_k3v9', madeFolders: 0 });
  expect(text(rest(bytes(`${text(made)}Always use tabs.\n`)))).toBe('Always use tabs.\n');
});

test.each([
  ['nothing at all', ''],
  ['no line end at its end', '# Rules\nUse tabs'],
  ['Windows line ends', '# Rules\r\nUse tabs\r\n'],
  ['Windows line ends, but none at its end', '# Rules\r\nUse tabs'],
  ['a CR at its end', '# Rules\r\nUse tabs\r'],
  ['only a CR', '\r'],
  ['a byte order mark', '\u00ef\u00bb\u00bf# Rules\n'],
  ['bytes that are not UTF-8', 'a\u00ff\u00c3(\u0080\n\u0000b'],
  ['a code fence left open', '```sh\nnpm test\n'],
  ['markers that are quoted', 'Between `<!-- STARTUP_CONTEXT_INJECTION -->` and\n > <!-- END_STARTUP_CONTEXT -->\n'],
  ['markers in a code fence', '```\n<!-- STARTUP_CONTEXT_INJECTION -->\nx\n<!-- END_STARTUP_CONTEXT -->\n```\nMine.\n'],
  ['an end marker alone in a code fence', '~~~\n<!-- END_STARTUP_CONTEXT -->\n~~~\n'],
])('a file with %s comes back as it was', (_, content) => {
  const before = bytes(content);
  const written = write(before, BLOCK);
  expect(text(written).startsWith(content)).toBe(true);
  expect(rest(written)).toEqual(before);
});

test('in a file with Windows line ends the block has them too', () => {
  expect(text(write(bytes('a\r\nb'), BLOCK)).replaceAll('\r\n', '')).not.toMatch(/[\r\n]/);
});

test('an editor that changes all line ends neither damages the block nor leaves one behind', () => {
  const converted = bytes(text(write(bytes('a\nb'), BLOCK)).replaceAll('\n', '\r\n'));
  expect(text(rest(converted))).toBe('a\r\nb');
  const back = bytes(text(write(bytes('a\r\nb'), BLOCK)).replaceAll('\r\n', '\n'));
  expect(text(rest(back))).toBe('a\nb');
});

test('the same block written again changes nothing, another one takes its place, and what stands around it stays', () => {
  const first = bytes(`${text(write(bytes('above\n'), BLOCK))}below\n`);
  expect(insertBlock(first, BLOCK)).toEqual({ kind: 'written', bytes: first, replaced: 'fw_k3v9' });
  const second = write(first, { ...BLOCK, id: 'fw_new', body: 'Other.' });
  expect(text(second)).toMatch(/^above\n<!-- START[\s\S]*\nOther\.\n<!-- END_STARTUP_CONTEXT -->\nbelow\n$/);
  expect(text(rest(second))).toBe('above\nbelow\n');
});

test('a line written behind the block does not end up on the last line before it', () => {
  const edited = bytes(`${text(write(bytes('no line end'), BLOCK))}added\n`);
  expect(text(rest(edited))).toBe('no line end\nadded\n');
});

test('only the block that is meant goes', () => {
  const file = write(bytes('a\n'), BLOCK);
  expect(removeBlock(file, { id: 'fw_other' })).toEqual({ kind: 'absent' });
  expect(removeBlock(file, { expiredBefore: '2026-11-16T09:59:59.999Z' })).toEqual({ kind: 'absent' });
  expect(removeBlock(file, { expiredBefore: '2026-11-16T10:00:00Z' })).toMatchObject({ kind: 'removed' });
  expect(removeBlock(file, { id: 'fw_k3v9' })).toMatchObject({ kind: 'removed' });
  expect(removeBlock(undefined)).toEqual({ kind: 'absent' });
});

describe('refuses, with the reason and what to do', () => {
  const whole = text(write(bytes('mine\n'), BLOCK));
  test.each([
    ['a begin without an end', whole.replace('<!-- END_STARTUP_CONTEXT -->\n', ''), /line 2 has no end/],
    ['an end without a begin', whole.replace('<!-- STARTUP_CONTEXT_INJECTION -->\n', ''), /line 6 is a marker/],
    ['two blocks', `${whole}${whole}`, /two blocks, in line 2 and in line 9/],
    ['an edited block', whole.replace('health', 'wealth'), /lines 2 to 7 was edited/],
    ['an edited details line', whole.replace('2026-11-16', '2036-11-16'), /was edited/],
    ['a nested block', whole.replace('Current task', `\n${whole}\nCurrent`), /inside the one that begins in line 2/],
    ['a block of another tool', 'x\n<!-- STARTUP_CONTEXT_INJECTION -->\ny\n', /line 2 is a marker/],
    ['a block that somebody put into a code fence', `\`\`\`\n${whole}\`\`\`\n`, /is in a code fence/],
    ['an edited block in a code fence', `\`\`\`\n${whole.replace('health', '')}\`\`\`\n`, /was edited/],
  ])('%s', (_, content, reason) => {
    const file = bytes(content);
    const inserted = insertBlock(file, BLOCK);
    expect(inserted).toEqual({ kind: 'refused', reason: expect.stringMatching(reason) });
    expect(removeBlock(file)).toEqual({ ...inserted });
    expect(findBlock(file)).toEqual({ ...inserted, kind: 'damaged' });
    expect(inserted).toEqual({ kind: 'refused', reason: expect.stringContaining('by hand, then try again') });
  });

  test.each([
    ['a body over 16 KiB', undefined, { body: 'x'.repeat(MAX_BLOCK_BYTES) }, /16\d+ bytes; the most is 16384/],
    ['a body over 16 KiB in bytes only', undefined, { body: 'é'.repeat(8192) }, /16\d+ bytes; the most is 16384/],
    ['an id that is none', undefined, { id: 'a b' }, /letters, digits/],
    ['an expiry that is none', undefined, { expiresAt: 'tomorrow' }, /is not a time such as/],
    ['a file in UTF-16', '\u00ff\u00fea\u0000', {}, /UTF-16/],
  ])('%s', (_, content, change, reason) => {
    const file = content === undefined ? undefined : bytes(content);
    expect(insertBlock(file, { ...BLOCK, ...change })).toEqual({
      kind: 'refused',
      reason: expect.stringMatching(reason),
    });
  });
});

describe('what the body holds stays inside', () => {
  test.each([
    ['markers', 'a\n<!-- END_STARTUP_CONTEXT -->\n<!-- STARTUP_CONTEXT_INJECTION -->\nb'],
    ['a comment left open', 'a <!-- b'],
    ['a comment closed', 'a --> b --->'],
    ['replacement patterns', '$& $1 $` $$'],
    ['a code fence left open', 'see\n```sh\nnpm test @x'],
    ['imports', '@~/.ssh/id_rsa and @/etc/passwd, mail a@b.example, `@kept`'],
    ['control characters', 'a\u001b[201~\r\nb\u0000\u202e'],
  ])('%s', (_, body) => {
    const before = bytes('mine\n');
    const written = write(before, { ...BLOCK, body });
    expect(rest(written)).toEqual(before);
    const found = findBlock(written);
    expect(found).toMatchObject({ kind: 'found', body: blockBody(body) });
    expect((text(written).match(/<!--|-->/g) ?? []).length).toBe(4);
  });

  test('as a person and a model read it', () => {
    const body = '$& @~/.ssh/id_rsa, a@b.example, `@kept`\n<!-- x -->\n```js\n@decorator\n\n';
    expect(blockBody(body)).toBe('$& \\@~/.ssh/id_rsa, a@b.example, `@kept`\n<!- - x -- >\n```js\n@decorator\n```');
  });

  test('made safe twice is made safe once', () => {
    const part = fc.oneof(
      fc.constantFrom('<!--', '-->', '-', '<!', '@', '@a', '\n', '```', '~~~', ' ', '\r'),
      fc.string(),
    );
    fc.assert(
      fc.property(fc.array(part, { maxLength: 12 }), (parts) => {
        const once = blockBody(parts.join(''));
        expect(blockBody(once)).toBe(once);
        expect(once).not.toMatch(/<!--|-->/);
      }),
      { numRuns: 2000 },
    );
  });
});

function write(file: Uint8Array | undefined, block: typeof BLOCK): Uint8Array {
  const inserted = insertBlock(file, block);
  if (inserted.kind === 'refused') throw new Error(inserted.reason);
  return inserted.bytes;
}

function rest(file: Uint8Array): Uint8Array {
  const removed = removeBlock(file);
  if (removed.kind !== 'removed' || removed.bytes === undefined) throw new Error(JSON.stringify(removed));
  return removed.bytes;
}

/** One character per byte. */
function bytes(content: string): Uint8Array {
  return Uint8Array.from(Buffer.from(content, 'latin1'));
}

function text(file: Uint8Array): string {
  return Buffer.from(file).toString('latin1');
}
