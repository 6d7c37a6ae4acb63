// System calls that no program is needed for, by perl. Each counts as a way out unless the kernel refuses the call itself:
// an answer such as "bad address" shows that the call is open to one who passes better arguments.

import { numberOf, type Processor, type SystemCall } from '../../src/runs/sandboxes/syscalls.ts';
import type { Try } from './tries.ts';

export const KEY = 'foreword-try';
const machine = process.arch as Processor;
/** EPERM, EACCES, ENOSPC (no more namespaces), ENOSYS, EPROTONOSUPPORT, EAFNOSUPPORT. */
const REFUSALS = '1|13|28|38|93|97';
/** Ends at once, with 0, by the 32-bit table of calls. */
const PROGRAM_32 =
  'f0VMRgEBAQAAAAAAAAAAAAIAAwABAAAAVIAECDQAAAAAAAAAAAAAADQAIAABAAAAAAAAAAEAAAAAAAAAAIAECACABAhdAAAAXQAAAAUAAAAAEAAAuAEAAAAx282A';

/** Refused by the kernel itself, as no command has a capability; with the filter also by that. */
const refused = (name: string, system: SystemCall, ...words: (number | string)[]): Try => {
  const number = numberOf(system, machine) ?? 9_999;
  return {
    name,
    // Strings must be in variables: a call may write to them.
    command: `perl -e 'my @words = (${words.join(', ')}); my $r = syscall(${number}, @words); print "ESCAPED" if $r >= 0 || ($!+0) !~ /^(${REFUSALS})$/'`,
  };
};
/** Refused by the filter alone. */
const call = (...[name, system, ...words]: Parameters<typeof refused>): Try => ({
  ...refused(name, system, ...words),
  lack: 'a filter of system calls',
});
const socket = (name: string, family: number, protocol = 0, kind = 3): Try =>
  call(name, 'socket', family, kind, protocol);

export function systemCallTries(): readonly Try[] {
  return allTries().map((each) => ({ ...each, keepsCopy: true }));
}

function allTries(): readonly Try[] {
  const keyctl = numberOf('keyctl', machine);
  return [
    {
      name: 'reads a key of the session keyring',
      command: `perl -e 'my ($b, $t, $k) = ("x" x 99, "user", "${KEY}"); my $id = syscall(${keyctl}, 10, -3, $t, $k, 0); my $n = syscall(${keyctl}, 11, $id, $b, 99); print substr($b, 0, $n) if $n > 0'`,
      lack: 'a filter of system calls',
    },
    call('asks for the session keyring', 'keyctl', 0, -3, 1),
    call('asks for the keyring of the user', 'keyctl', 0, -4, 1),
    call('plants a key in the session keyring', 'add_key', '"user"', '"planted"', '"x"', 1, -3),
    call('requests a key', 'request_key', '"user"', '"none"', 0, 0),
    call('makes a ring of system calls', 'io_uring_setup', 1, '"x" x 200'),
    call('fills a ring of system calls', 'io_uring_enter', 99, 0, 0, 0, 0, 0),
    socket('opens a socket to the hypervisor (AF_VSOCK)', 40, 0, 1),
    refused('opens a socket to the wire (AF_PACKET)', 'socket', 17, 3, 0),
    socket('opens a socket to the ciphers (AF_ALG)', 38, 0, 5),
    socket('opens a Bluetooth socket', 31, 1),
    socket('opens a CAN socket', 29, 1),
    socket('opens a socket to the auditor (netlink)', 16, 9),
    socket('opens a socket to device events (netlink)', 16, 15),
    refused('opens a raw socket', 'socket', 2, 3, 1),
    call('traces a process', 'ptrace', 0, 0, 0, 0),
    call('reads memory of another process', 'process_vm_readv', 1, 0, 0, 0, 0, 0),
    call('writes memory of another process', 'process_vm_writev', 1, 0, 0, 0, 0, 0),
    call('takes an open file of another process', 'pidfd_getfd', 99, 0, 0),
    call('loads a program into the kernel (bpf)', 'bpf', 0, '"x" x 200', 0),
    call('handles page faults (userfaultfd)', 'userfaultfd', 1),
    call('counts events of the processor (perf)', 'perf_event_open', '"x" x 200', 0, -1, -1, 0),
    refused('loads another kernel', 'kexec_load', 0, 0, 0, 0),
    refused('loads a module', 'finit_module', 99, '""', 0),
    refused('mounts by the system call', 'mount', '"none"', '"/tmp"', '"tmpfs"', 0, 0),
    refused('unmounts by the system call', 'umount2', '"/proc"', 2),
    refused('mounts by the new system calls', 'fsopen', '"tmpfs"', 0),
    refused('clones a mount', 'open_tree', -100, '"/usr"', 1),
    refused('moves a mount', 'move_mount', -100, '"/usr"', -100, '"/tmp"', 0),
    refused('swaps its root', 'pivot_root', '"/"', '"/"'),
    refused('changes its root by the system call', 'chroot', '"/"'),
    refused('enters a namespace by the system call', 'setns', 'do { open(N, "<", "/proc/self/ns/net"); fileno(N) }', 0),
    refused('makes a user namespace by unshare', 'unshare', 0x10000000),
    refused('makes a user namespace by clone', 'clone', 0x10000011, 0, 0, 0, 0),
    refused('makes a namespace of mounts', 'unshare', 0x20000),
    refused('makes a user namespace by clone3', 'clone3', 'pack("Q8", 0x10000000, 0, 0, 0, 17, 0, 0, 0)', 64),
    refused('opens a file past its path', 'open_by_handle_at', -100, 'pack("Ii", 8, 1) . "x" x 8', 0),
    refused('sets the clock by the system call', 'clock_settime', 0, 'pack("qq", time, 0)'),
    refused('sets the name of the machine by the system call', 'sethostname', '"evil"', 4),
    call('reads the messages of the kernel by the system call', 'syslog', 10, 0, 0),
    {
      name: 'runs a 32-bit program',
      command: `echo ${PROGRAM_32} | base64 -d > small; chmod 755 small; ./small 2>/dev/null && echo ESCAPED`,
      lack: 'a filter of system calls',
    },
    {
      name: 'uses the second set of numbers (x32)',
      command: `perl -e 'print "ESCAPED" if syscall(0x40000000 + 39) > 0'`,
      lack: 'a filter of system calls',
    },
  ];
}
