// The filter of system calls: a program for the kernel's packet filter (classic BPF), as bytes for `bwrap --seccomp` and
// prctl. It refuses what ordinary work does not need and what would reach past namespaces and mounts; all else is allowed.
// Programs get an error and not a signal, so that those that only look what is there go on. Pure.

import { ARCHITECTURE, LAST_KNOWN, numberOf, type Processor, type SystemCall } from './syscalls.ts';

interface Instruction {
  readonly code: number;
  /** How many instructions are skipped when the comparison holds, and when not. */
  readonly yes?: number;
  readonly no?: number;
  readonly value: number;
}

const ERROR = { EPERM: 1, ENOSYS: 38, EAFNOSUPPORT: 97 } as const;
const ALLOW = 0x7fff0000;
/** A program for another table of calls (32 bit) could make every one of them: it ends at its first. */
const KILL = 0x80000000;
/** x86-64 has a second set of numbers (x32) with this bit. */
const X32_BIT = 0x40000000;

/** Where the kernel puts what it knows of a call: its number, its table, the low halves of its arguments. The high halves
 *  do not count: all arguments that are compared here are ints, or have no flag up there. */
const NUMBER_AT = 0;
const ARCHITECTURE_AT = 4;
const argumentAt = (index: number): number => 16 + 8 * index;

/** Local sockets, addresses, and asking the kernel for addresses; of that last family only protocol 0. */
const FAMILIES = { AF_UNIX: 1, AF_INET: 2, AF_INET6: 10 } as const;
const AF_NETLINK = 16;
/** CLONE_NEWNS, CGROUP, UTS, IPC, USER, PID, NET. */
const NAMESPACES = 0x7e020000;
/** In `unshare`, in addition; in `clone` the bit belongs to the signal. */
const NAMESPACE_OF_TIME = 0x80;
/** Type into a terminal, control a console, take its output over, change its line discipline. */
const TERMINAL_REQUESTS = [0x5412, 0x541c, 0x541d, 0x5423];
const FILE_KIND = 0xf000;
const DEVICES = [0x2000, 0x6000];

/** Refused whatever their arguments are. */
const REFUSED = [
  ...['add_key', 'request_key', 'keyctl', 'io_uring_setup', 'io_uring_enter', 'io_uring_register', 'ptrace'],
  ...['process_vm_readv', 'process_vm_writev', 'kcmp', 'pidfd_getfd', 'bpf', 'userfaultfd', 'perf_event_open'],
  ...['fanotify_init', 'modify_ldt', 'lookup_dcookie', 'nfsservctl', 'mount', 'umount2', 'pivot_root', 'chroot'],
  ...['open_tree', 'move_mount', 'fsopen', 'fsconfig', 'fsmount', 'fspick', 'mount_setattr', 'open_tree_attr'],
  ...['setns', 'name_to_handle_at', 'open_by_handle_at', 'kexec_load', 'kexec_file_load', 'reboot', 'init_module'],
  ...['finit_module', 'delete_module', 'create_module', 'query_module', 'get_kernel_syms', 'settimeofday'],
  ...['clock_settime', 'clock_adjtime', 'adjtimex', 'sethostname', 'setdomainname', 'swapon', 'swapoff', 'quotactl'],
  ...['quotactl_fd', 'acct', 'syslog', 'vhangup', 'iopl', 'ioperm', 'uselib', 'ustat', 'sysfs', '_sysctl'],
] as readonly SystemCall[];

const isProcessor = (arch: string): arch is Processor => arch in ARCHITECTURE;

/** For debuggers, which see only the processes of their own namespace. */
const DEBUGGING: readonly SystemCall[] = ['ptrace', 'process_vm_readv', 'process_vm_writev', 'kcmp', 'pidfd_getfd'];
/** For a sandbox inside, which makes namespaces and mounts of its own. */
const NESTING: readonly SystemCall[] = [
  ...(['mount', 'umount2', 'pivot_root', 'chroot', 'open_tree', 'move_mount', 'fsopen', 'fsconfig'] as const),
  ...(['fsmount', 'fspick', 'mount_setattr', 'setns'] as const),
];

/** Who runs behind the filter: a command that a model wrote, an agent, or an agent with a sandbox of its own. */
export type Filtered = 'command' | 'agent' | 'nesting-agent';

const OPEN_FOR: Readonly<Record<Filtered, readonly SystemCall[]>> = {
  command: [],
  agent: DEBUGGING,
  'nesting-agent': [...DEBUGGING, ...NESTING],
};

/** `arch` as node names it; `undefined` for a machine whose numbers are not in the table. */
export function filterFor(arch: string, who: Filtered = 'command'): Uint8Array | undefined {
  return isProcessor(arch) ? encode(program(arch, who)) : undefined;
}

function program(machine: Processor, who: Filtered): readonly Instruction[] {
  const isNesting = who === 'nesting-agent';
  const on = (call: SystemCall, block: readonly Instruction[]): readonly Instruction[] => {
    const number = numberOf(call, machine);
    return number === undefined ? [] : whenEqual(number, block);
  };
  return [
    load(ARCHITECTURE_AT),
    { code: JUMP_EQUAL, yes: 1, value: ARCHITECTURE[machine] },
    result(KILL),
    load(NUMBER_AT),
    ...(machine === 'x64' ? whenAtLeast(X32_BIT, [refuse('ENOSYS')]) : []),
    ...whenAtLeast(LAST_KNOWN + 1, [refuse('ENOSYS')]),
    ...REFUSED.filter((call) => !OPEN_FOR[who].includes(call)).flatMap((call) => on(call, [refuse('EPERM')])),
    ...(isNesting ? [] : namespaceRules(on)),
    ...on('socket', [
      load(argumentAt(0)),
      ...Object.values(FAMILIES).flatMap((family) => whenEqual(family, [result(ALLOW)])),
      ...whenEqual(AF_NETLINK, [load(argumentAt(2)), ...whenEqual(0, [result(ALLOW)])]),
      refuse('EAFNOSUPPORT'),
    ]),
    ...on('socketpair', [load(argumentAt(0)), ...whenEqual(FAMILIES.AF_UNIX, [result(ALLOW)]), refuse('EAFNOSUPPORT')]),
    ...on('ioctl', [
      load(argumentAt(1)),
      ...TERMINAL_REQUESTS.flatMap((request) => whenEqual(request, [refuse('EPERM')])),
      result(ALLOW),
    ]),
    ...on('mknod', deviceRule(1)),
    ...on('mknodat', deviceRule(2)),
    result(ALLOW),
  ];
}

function namespaceRules(
  on: (call: SystemCall, block: readonly Instruction[]) => readonly Instruction[],
): readonly Instruction[] {
  return [
    // Its flags are in memory, where a filter cannot look. The C library falls back to clone.
    ...on('clone3', [refuse('ENOSYS')]),
    ...on('clone', [load(argumentAt(0)), ...whenAny(NAMESPACES, refuse('EPERM')), result(ALLOW)]),
    ...on('unshare', [load(argumentAt(0)), ...whenAny(NAMESPACES | NAMESPACE_OF_TIME, refuse('EPERM')), result(ALLOW)]),
  ];
}

function deviceRule(modeIndex: number): readonly Instruction[] {
  return [
    load(argumentAt(modeIndex)),
    { code: AND, value: FILE_KIND },
    ...DEVICES.flatMap((kind) => whenEqual(kind, [refuse('EPERM')])),
    result(ALLOW),
  ];
}

const LOAD = 0x20;
const AND = 0x54;
const JUMP_EQUAL = 0x15;
const JUMP_AT_LEAST = 0x35;
const JUMP_ANY_BIT = 0x45;
const RETURN = 0x06;
const RETURN_ERROR = 0x00050000;

function load(offset: number): Instruction {
  return { code: LOAD, value: offset };
}

function result(value: number): Instruction {
  return { code: RETURN, value };
}

function refuse(error: keyof typeof ERROR): Instruction {
  return result(RETURN_ERROR | ERROR[error]);
}

function whenEqual(value: number, block: readonly Instruction[]): readonly Instruction[] {
  return [{ code: JUMP_EQUAL, no: block.length, value }, ...block];
}

function whenAtLeast(value: number, block: readonly Instruction[]): readonly Instruction[] {
  return [{ code: JUMP_AT_LEAST, no: block.length, value }, ...block];
}

function whenAny(bits: number, then: Instruction): readonly Instruction[] {
  return [{ code: JUMP_ANY_BIT, no: 1, value: bits }, then];
}

/** Both machines are little-endian. */
function encode(instructions: readonly Instruction[]): Uint8Array {
  const view = new DataView(new ArrayBuffer(8 * instructions.length));
  for (const [index, { code, yes = 0, no = 0, value }] of instructions.entries()) {
    view.setUint16(8 * index, code, true);
    view.setUint8(8 * index + 2, yes);
    view.setUint8(8 * index + 3, no);
    view.setUint32(8 * index + 4, value, true);
  }
  return new Uint8Array(view.buffer);
}
