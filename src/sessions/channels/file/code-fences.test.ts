import { expect, test } from 'vitest';
import { codeFences } from './code-fences.ts';

const fences = (text: string) =>
  codeFences(text.split('\n').map((line) => (line === '(passed)' ? undefined : line))).map(
    ({ from, to, isClosed, closing }) => `${from}-${to}${isClosed ? '' : ' open'} ${closing}`,
  );

test.each([
  ['a\n```sh\nb\n```\nc', ['1-3 ```']],
  ['~~~\n```\n~~~', ['0-2 ~~~']],
  ['````\n```\n````', ['0-2 ````']],
  ['```\n`````', ['0-1 ```']],
  ['```\n``` no\n```', ['0-2 ```']],
  ['   ```\n    ```\n```', ['0-2 ```']],
  ['```\na', ['0-1 open ```']],
  ['```\n(passed)\n```\n~~~', ['0-2 ```', '3-3 open ~~~']],
  ['``` `x`\n``', []],
  ['', []],
])('%j has %j', (text, expected) => expect(fences(text)).toEqual(expected));
