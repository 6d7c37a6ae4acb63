import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { filterFor } from './seccomp.ts';
import { ARCHITECTURE, LAST_KNOWN, numberOf, type Processor, SYSCALLS, type SystemCall } from './syscalls.ts';

interface Call {
  readonly nr: number;
  readonly arch?: number;
  readonly args?: readonly number[];
}

/** What the kernel does with a filter, as far as ours uses it. Throws on what the kernel would refuse to load. */
function interpret(bytes: Uint8Array, { nr, arch = 0, args = [] }: Call): number {
  const program = new DataView(bytes.buffer);
  const data = new DataView(new ArrayBuffer(64));
  data.setUint32(0, nr, true);
  data.setUint32(4, arch, true);
  for (const [index, value] of args.entries()) data.setBigUint64(16 + 8 * index, BigInt(value), true);
  let accumulator = 0;
  for (let at = 0; at < bytes.length / 8; at += 1) {
    const code = program.getUint16(8 * at, true);
    const value = program.getUint32(8 * at + 4, true);
    const jump = (holds: boolean) => {
      at += program.getUint8(8 * at + (holds ? 2 : 3));
    };
    if (code === 0x20) accumulator = data.getUint32(value, true);
    else if (code === 0x54) accumulator = (accumulator & value) >>> 0;
    else if (code === 0x15) jump(accumulator === value);
    else if (code === 0x35) jump(accumulator >= value);
    else if (code === 0x45) jump((accumulator & value) !== 0);
    else if (code === 0x06) return value;
    else throw new Error(`unknown instruction ${code}`);
  }
  throw new Error('the program has no end');
}

const NAMES = new Map([
  [0x7fff0000, 'allowed'],
  [0x80000000, 'killed'],
  [0x00050001, 'EPERM'],
  [0x00050026, 'ENOSYS'],
  [0x00050061, 'EAFNOSUPPORT'],
]);

describe.each<Processor>(['x64', 'arm64'])('the filter for %s', (machine) => {
  const bytes = filterFor(machine) ?? new Uint8Array();
  const ask = (nr: number, args: readonly number[] = [], arch = ARCHITECTURE[machine]) =>
    NAMES.get(interpret(bytes, { nr, arch, args }));
  const call = (name: SystemCall, ...args: number[]) => {
    const number = numberOf(name, machine);
    return number === undefined ? 'absent' : ask(number, args);
  };

  test('refuses keyrings, rings, other processes, mounts and the machine', () => {
    const depends = ['socket', 'socketpair', 'clone', 'clone3', 'unshare', 'ioctl', 'mknod', 'mknodat', 'prctl'];
    const names = (Object.keys(SYSCALLS) as SystemCall[]).filter((name) => !depends.includes(name));
    expect(names.length).toBeGreaterThan(50);
    expect(new Set(names.map((name) => call(name)).filter((said) => said !== 'absent'))).toEqual(new Set(['EPERM']));
  });

  test('allows local sockets, addresses and route questions, and no other family', () => {
    expect([1, 2, 10].map((family) => call('socket', family, 1, 0))).toEqual(['allowed', 'allowed', 'allowed']);
    expect(call('socket', 16, 3, 0)).toBe('allowed');
    expect([9, 15, 16].map((protocol) => call('socket', 16, 3, protocol))).toEqual(Array(3).fill('EAFNOSUPPORT'));
    const others = Array.from({ length: 64 }, (_, family) => family).filter(
      (family) => ![1, 2, 10, 16].includes(family),
    );
    expect(new Set(others.map((family) => call('socket', family, 1, 0)))).toEqual(new Set(['EAFNOSUPPORT']));
    // The kernel looks at the low half of the argument only.
    expect(call('socket', 2 ** 32 + 40, 1, 0)).toBe('EAFNOSUPPORT');
    expect([call('socketpair', 1, 1, 0), call('socketpair', 40, 1, 0)]).toEqual(['allowed', 'EAFNOSUPPORT']);
  });

  test('allows threads and processes, and no namespace', () => {
    // What the C library asks for a thread, a process and vfork.
    expect([0x3d0f00, 0x1200011, 0x4111].map((flags) => call('clone', flags))).toEqual(Array(3).fill('allowed'));
    const spaces = [0x20000, 0x2000000, 0x4000000, 0x8000000, 0x10000000, 0x20000000, 0x40000000];
    expect(new Set(spaces.map((flag) => call('clone', flag | 17)))).toEqual(new Set(['EPERM']));
    expect(new Set([...spaces, 0x80].map((flag) => call('unshare', flag)))).toEqual(new Set(['EPERM']));
    expect(call('unshare', 0x400)).toBe('allowed');
    expect(call('clone3')).toBe('ENOSYS');
  });

  test('allows ordinary requests to a terminal, and none that types into it', () => {
    expect([0x5401, 0x5413, 0x541b, 0x5421].map((request) => call('ioctl', 0, request))).toEqual(
      Array(4).fill('allowed'),
    );
    expect([0x5412, 0x541c, 2 ** 32 + 0x5412].map((request) => call('ioctl', 0, request))).toEqual(
      Array(3).fill('EPERM'),
    );
  });

  test('allows pipes and sockets with a name, and no device', () => {
    expect([0o010644, 0o140755, 0o100644].map((mode) => call('mknodat', 0, 0, mode))).toEqual(Array(3).fill('allowed'));
    expect([0o020666, 0o060660].map((mode) => call('mknodat', 0, 0, mode))).toEqual(['EPERM', 'EPERM']);
    if (machine === 'x64') expect(call('mknod', 0, 0o060660)).toBe('EPERM');
  });

  test('another table of calls ends the program; x32 and calls of the future are unknown', () => {
    const others = [0x40000003, 0x40000028, ...Object.values(ARCHITECTURE)].filter((a) => a !== ARCHITECTURE[machine]);
    expect(new Set(others.map((arch) => ask(1, [], arch)))).toEqual(new Set(['killed']));
    expect(ask(LAST_KNOWN)).toBe('allowed');
    expect([LAST_KNOWN + 1, 0x40000000, 0x40000000 + 250, 0xffffffff].map((nr) => ask(nr))).toEqual(
      Array(4).fill('ENOSYS'),
    );
  });

  test('every other call is allowed', () => {
    const listed = new Set((Object.keys(SYSCALLS) as SystemCall[]).map((name) => numberOf(name, machine)));
    const rest = Array.from({ length: LAST_KNOWN }, (_, nr) => nr).filter((nr) => !listed.has(nr));
    expect(new Set(rest.map((nr) => ask(nr)))).toEqual(new Set(['allowed']));
  });
});

test('a machine whose calls are not known has no filter', () => {
  expect(filterFor('riscv64')).toBeUndefined();
});

const HEADERS = { x64: '/usr/include/x86_64-linux-gnu/asm/unistd_64.h', arm64: '/usr/include/asm-generic/unistd.h' };

test.each<Processor>(['x64', 'arm64'])('numbers for %s are those of the headers, where there are any', (machine) => {
  if (!existsSync(HEADERS[machine])) return;
  const text = readFileSync(HEADERS[machine], 'utf8');
  const known = new Map(
    [...text.matchAll(/^#define __NR_(\w+)\s+(\d+)$/gm)].map(([, name, nr]) => [name ?? '', Number(nr)]),
  );
  const names = (Object.keys(SYSCALLS) as SystemCall[]).filter((name) => known.has(name));
  expect(names.length).toBeGreaterThan(50);
  expect(Object.fromEntries(names.map((name) => [name, numberOf(name, machine)]))).toEqual(
    Object.fromEntries(names.map((name) => [name, known.get(name)])),
  );
});
