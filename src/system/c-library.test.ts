import { expect, test } from 'vitest';
import { cLibrary } from './c-library.ts';
import { platformOf } from './platform.ts';

test.each([
  ['x64', ['/lib64/ld-linux-x86-64.so.2'], 'glibc'],
  ['arm64', ['/lib/ld-linux-aarch64.so.1'], 'glibc'],
  ['x64', ['/lib/ld-musl-x86_64.so.1'], 'musl'],
  ['x64', ['/lib64/ld-linux-x86-64.so.2', '/lib/ld-musl-x86_64.so.1'], undefined],
  ['x64', [], undefined],
  ['riscv64', ['/lib64/ld-linux-x86-64.so.2'], undefined],
])('on %s with %o it is %s', (arch, files, library) => {
  expect(cLibrary(platformOf('linux', arch), (file) => files.includes(file))).toBe(library);
});
