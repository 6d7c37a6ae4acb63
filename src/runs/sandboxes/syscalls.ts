// Numbers of system calls, for the filter (seccomp.ts). From the kernel's tables of 6.17 for x86-64 and arm64; they never
// change. A test compares them with the headers of the machine, where those are installed.

export type Processor = 'x64' | 'arm64';

/** `AUDIT_ARCH_…` of linux/audit.h: which table a call is made by. */
export const ARCHITECTURE: Readonly<Record<Processor, number>> = { x64: 0xc000003e, arm64: 0xc00000b7 };

/** The last call that this table was written with (`file_setattr`). What a newer kernel adds is refused as unknown. */
export const LAST_KNOWN = 469;

/** x86-64, then arm64; `undefined` where a machine does not have the call. */
export const SYSCALLS = {
  // Keyrings are shared with everything else that the user runs.
  add_key: [248, 217],
  request_key: [249, 218],
  keyctl: [250, 219],
  // Works around every filter: what is in the ring makes no system call.
  io_uring_setup: [425, 425],
  io_uring_enter: [426, 426],
  io_uring_register: [427, 427],
  // Other processes: their memory, their files.
  ptrace: [101, 117],
  process_vm_readv: [310, 270],
  process_vm_writev: [311, 271],
  kcmp: [312, 272],
  pidfd_getfd: [438, 438],
  // Large parts of the kernel that ordinary work does not need, with a history of faults.
  bpf: [321, 280],
  userfaultfd: [323, 282],
  perf_event_open: [298, 241],
  fanotify_init: [300, 262],
  modify_ldt: [154, undefined],
  lookup_dcookie: [212, 18],
  nfsservctl: [180, 42],
  // Mounts and roots.
  mount: [165, 40],
  umount2: [166, 39],
  pivot_root: [155, 41],
  chroot: [161, 51],
  open_tree: [428, 428],
  move_mount: [429, 429],
  fsopen: [430, 430],
  fsconfig: [431, 431],
  fsmount: [432, 432],
  fspick: [433, 433],
  mount_setattr: [442, 442],
  open_tree_attr: [467, 467],
  setns: [308, 268],
  // Opens a file past the mounts.
  name_to_handle_at: [303, 264],
  open_by_handle_at: [304, 265],
  // The machine: kernel, clock, name, swap, quotas.
  kexec_load: [246, 104],
  kexec_file_load: [320, 294],
  reboot: [169, 142],
  init_module: [175, 105],
  finit_module: [313, 273],
  delete_module: [176, 106],
  create_module: [174, undefined],
  query_module: [178, undefined],
  get_kernel_syms: [177, undefined],
  settimeofday: [164, 170],
  clock_settime: [227, 112],
  clock_adjtime: [305, 266],
  adjtimex: [159, 171],
  sethostname: [170, 161],
  setdomainname: [171, 162],
  swapon: [167, 224],
  swapoff: [168, 225],
  quotactl: [179, 60],
  quotactl_fd: [443, 443],
  acct: [163, 89],
  syslog: [103, 116],
  vhangup: [153, 58],
  iopl: [172, undefined],
  ioperm: [173, undefined],
  uselib: [134, undefined],
  ustat: [136, undefined],
  sysfs: [139, undefined],
  _sysctl: [156, undefined],
  // These depend on an argument: seccomp.ts.
  socket: [41, 198],
  socketpair: [53, 199],
  clone: [56, 220],
  clone3: [435, 435],
  unshare: [272, 97],
  ioctl: [16, 29],
  mknod: [133, undefined],
  mknodat: [259, 33],
  // Not filtered: what loads the filter at the level `unshare`.
  prctl: [157, 167],
} as const satisfies Readonly<Record<string, readonly [number, number | undefined]>>;

export type SystemCall = keyof typeof SYSCALLS;

/** `undefined` when the machine does not have the call. */
export function numberOf(call: SystemCall, machine: Processor): number | undefined {
  return SYSCALLS[call][machine === 'x64' ? 0 : 1];
}
