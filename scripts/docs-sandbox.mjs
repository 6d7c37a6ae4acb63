// Writes docs/sandbox.md: the text here, the table from test/sandboxes/tries.ts, whose every line test/sandboxes/tries.test.ts
// tries out.
//   node scripts/docs-sandbox.mjs           write it
//   node scripts/docs-sandbox.mjs --check   exit 1 if the file on disk differs

import { importSource } from './import-source.mjs';
import { writeOrCheck } from './write-or-check.mjs';

const { triesOf } = await importSource('test/sandboxes/tries.ts');
const { DEFAULT_LIMITS } = await importSource('src/runs/sandboxes/level.ts');

/** Names do not depend on it. */
const NOWHERE = { base: '', tree: '', mark: '', ports: { tcp: 0, tcp6: 0, udp: 0 }, abstractName: '' };
const tries = triesOf(NOWHERE, 0);
const REFUSED = 'refused';
const row = ({ name, lack }) => {
  const processes = lack === 'a limit on processes' ? 'refused; named for root' : REFUSED;
  const withoutPerl = lack === 'a filter of system calls' ? 'named' : processes;
  return `| ${name} | ${processes} | ${processes} | ${withoutPerl} |`;
};
const count = (lack) => tries.filter((each) => each.lack === lack).length;
const gib = (bytes) => `${bytes / 2 ** 30} GiB`;
const thousands = (number) => number.toLocaleString('en-US');

const PAGE = `<!-- Generated from test/sandboxes/tries.ts by scripts/docs-sandbox.mjs; change it there. -->

# The sandbox

With this page you can judge what a command can do that a helper agent proposed for a criterion without a check.

\`foreword doctor\` prints the level of this machine and what it lacks; each verdict stores the same line. A self-test runs before
the first command: it tries to get out, and a level that lets it out is not used. Without a level no such command runs.

| level | needs | system calls | size |
| --- | --- | --- | --- |
| bubblewrap | \`bwrap\`; for the size also \`nsenter\` | filtered | limited |
| unshare | \`unshare\`, \`nsenter\`, \`setpriv\`, \`mount\` | filtered if \`perl\` is installed in /usr, else open and named | limited |

foreword takes these programs from the PATH, never from the work tree.

## What a command gets

- A throw-away copy of the work tree at the place of the original, without \`.git\` and \`.foreword\`. A large \`node_modules\` is shown
  read-only. After the last command the copy is gone.
- /usr, a little of /etc and the paths in \`sandbox.readOnly\`, all read-only. No home, no /run, no /var, no /sys.
- A network with nothing but its own loopback. Its own processes, names, queues and terminals. An environment of four variables.
- No capabilities, no way to new privileges, no user namespaces.

## Limits

| what | limit | at the limit |
| --- | --- | --- |
| the copy | ${gib(DEFAULT_LIMITS.copyBytes)}, ${thousands(DEFAULT_LIMITS.copyFiles)} files, two fifths of the free memory | the commands do not run; the verdict gives the reason |
| all that the commands of a run write: copy, /tmp and /dev/shm together | \`sandbox.writeMiB\` (${gib(DEFAULT_LIMITS.writtenBytes)}), two fifths of the free memory, ${thousands(DEFAULT_LIMITS.writtenFiles)} files, on top of the copy | \`No space left on device\` inside; your disk is not touched |
| one file | ${gib(DEFAULT_LIMITS.fileBytes)} | the command gets SIGXFSZ |
| memory of one process | ${gib(DEFAULT_LIMITS.memoryBytes)} | its allocation fails |
| processes | ${thousands(DEFAULT_LIMITS.processes)}, as an ordinary user on Linux 5.14 or newer | fork fails. For root, and on older kernels, only the timeout ends a fork bomb |
| time | \`run.checkTimeoutS\` | everything the command started is killed |

The copy and all that is written lie in memory (tmpfs), in a namespace that only foreword holds open: if foreword is killed, they
are gone. The memory of all processes together has no limit of its own.

## System calls

The filter refuses keyrings (\`keyctl\`, \`add_key\`, \`request_key\`), \`io_uring\`, \`ptrace\`, access to other processes' memory and files,
\`bpf\`, \`userfaultfd\`, \`perf_event_open\`, mounts, namespaces, devices, kernel modules, \`kexec\`, the clock, the host name, typing into a
terminal, and every socket family except AF_UNIX, AF_INET, AF_INET6 and the route protocol of AF_NETLINK. Calls newer than
Linux 6.17 are unknown to it and fail with ENOSYS. 32-bit programs are killed. x86-64 and arm64 have a filter; other machines
have none, and the level says so.

Compilers, test runners, servers on loopback, Node, Python, Perl, Git, Make and a JVM work. Debuggers, strace, LeakSanitizer,
AddressSanitizer (it reserves more than the memory limit), containers, 32-bit programs and raw sockets do not.

## What a level can lack

| after "without" in the level | what is open | what helps |
| --- | --- | --- |
| a filter of system calls | keyrings of the user, AF_VSOCK, io_uring and the calls marked "named" below | install bubblewrap, or perl |
| a limit on what commands write in total | a command can fill the disk of the folder for temporary files, in files of ${gib(DEFAULT_LIMITS.fileBytes)} | install util-linux (\`nsenter\`); allow user namespaces for \`unshare\` |
| a limit on processes | a fork bomb runs until the timeout | do not run foreword as root |
| a ban on nested user namespaces | commands can make user namespaces | bubblewrap 0.8 or newer |

## Tries

${tries.length} ways out. The tests make each of them under both levels, as root and as another user, and the system calls also under
unshare without perl. "named" means: it may be open there, and the level's own line says so (the filter is missing for
${count('a filter of system calls')} of them, the limit on processes for ${count('a limit on processes')}).

| a command … | bubblewrap | unshare | unshare without perl |
| --- | --- | --- | --- |
${tries.map(row).join('\n')}
`;

writeOrCheck({ 'docs/sandbox.md': PAGE });
