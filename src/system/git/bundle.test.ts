import { expect, test } from 'vitest';
import { readBundleHead } from './bundle.ts';

const [A, B] = ['a'.repeat(40), 'b'.repeat(40)];
const read = (text: string) => readBundleHead(Buffer.from(text));

test('the head of a bundle names what it needs and its refs', () => {
  const text = `# v2 git bundle\n-${A} a subject\n${B} refs/heads/x\n\n`;
  expect(read(`${text}PACK`)).toEqual({
    objectFormat: 'sha1',
    needs: [A],
    refs: new Map([['refs/heads/x', B]]),
    length: text.length,
  });
  const long = 'c'.repeat(64);
  expect(read(`# v3 git bundle\n@object-format=sha256\n${long} refs/heads/x\n\nPACK`)).toMatchObject({
    objectFormat: 'sha256',
    refs: new Map([['refs/heads/x', long]]),
  });
});

test.each([
  '',
  'PACK\n\n',
  '# v4 git bundle\n\n',
  `# v2 git bundle\n${B} refs/heads/x`,
  `# v2 git bundle\n${B} HEAD\n\n`,
  `# v2 git bundle\n--all refs/heads/x\n\n`,
  `# v2 git bundle\n${B} refs/heads/x y\n\n`,
  `# v3 git bundle\n@filter=blob:none\n${B} refs/heads/x\n\n`,
])('%j is not one', (text) => {
  expect(read(text)).toBeUndefined();
});
