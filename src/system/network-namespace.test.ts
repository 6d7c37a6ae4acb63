import { spawnSync } from 'node:child_process';
import { describe, expect, test } from 'vitest';
import { type CommandLine, hasLoopbackOnly, inNamespace } from './network-namespace.ts';
import { platformOf } from './platform.ts';

const table = (...names: string[]) =>
  ['Inter-|   Receive  |  Transmit', ' face |bytes packets', ...names.map((name) => `  ${name}:  0  0  0`), ''].join(
    '\n',
  );

test('only a table with loopback alone is one', () => {
  expect(hasLoopbackOnly(table('lo'))).toBe(true);
  expect(hasLoopbackOnly(table('lo', 'eth0'))).toBe(false);
  expect(hasLoopbackOnly(table('eth0'))).toBe(false);
  expect(hasLoopbackOnly(table())).toBe(false);
});

const namespace = inNamespace();

test('where there are no namespaces, it says why', () => {
  if (!namespace.isAvailable) expect(namespace.reason.length).toBeGreaterThan(10);
  // Whoever is not root cannot make one without a user namespace, and the other way round it is allowed or explained.
  const other = inNamespace(process.getuid?.() !== 0);
  if (!other.isAvailable) expect(other.reason).toMatch(/^(unshare -r?n: .+|there are)/);
});

test('macOS has none, and the reason names the system', () => {
  expect(inNamespace(false, platformOf('darwin', 'arm64'))).toEqual({
    isAvailable: false,
    reason: 'there are network namespaces on Linux only, and this is macOS',
  });
});

describe.skipIf(!namespace.isAvailable)('inside', () => {
  const run = (command: CommandLine) => {
    if (!namespace.isAvailable) return expect.fail();
    const [program, ...args] = namespace.wrap(command);
    return spawnSync(program, args, { encoding: 'utf8' });
  };

  test('loopback is the only interface, and it is up', () => {
    expect(hasLoopbackOnly(run(['cat', '/proc/net/dev']).stdout)).toBe(true);
    expect(run(['ip', '-o', 'link', 'show', 'lo']).stdout).toContain('LOOPBACK,UP');
  });

  test('arguments and exit status stay as they are', () => {
    const odd = ['a b', '$(id)', '', '"', "'", '-x', '$0'];
    expect(run(['printf', '[%s]', ...odd]).stdout).toBe(odd.map((arg) => `[${arg}]`).join(''));
    expect(run(['sh', '-c', 'exit 7']).status).toBe(7);
  });
});
