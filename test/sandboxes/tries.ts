// Ways out that a command could try. Each prints ESCAPED when it got somewhere; what it does without saying so shows in
// the scene afterwards. docs/sandbox.md is printed from this list. System calls: system-call-tries.ts.

import { CONTROL_FILES, type Scene } from './scene.ts';
import { systemCallTries } from './system-call-tries.ts';

export interface Try {
  readonly name: string;
  readonly command: string;
  readonly timeoutMs?: number;
  /** It does nothing to the files of the copy, so others can be made on the same one: that is much faster. */
  readonly keepsCopy?: boolean;
  /** A command may get that far on a machine whose level lacks this, as the level's own name reads. */
  readonly lack?: Lack;
}

/** The beginning of what a level says of itself after "without". */
export type Lack = 'a filter of system calls' | 'a limit on processes';

/** Small, so that hitting them takes no time. */
export const TRY_LIMITS = {
  fileBytes: 8 * 2 ** 20,
  temporaryBytes: 8 * 2 ** 20,
  writtenBytes: 24 * 2 ** 20,
  writtenFiles: 300,
  processes: 300,
};

/** Harmless ones, which must get out when nothing holds them: a try that never works shows nothing. */
export const CONTROL = [
  ...['reads a key in the home folder', 'reads beside the work tree', 'follows a link to a file', 'finds variables'],
  ...['follows a link to a folder', 'reads the settings of git', 'reads the store', 'sees many processes'],
  ...['makes a link and follows it', 'sees the supervisor', 'signals the supervisor', 'connects to a port'],
  ...['connects to an abstract socket', 'connects to a socket in the home folder'],
  ...['connects to a socket in the work tree', 'connects to the socket of a terminal multiplexer'],
  ...['fills the copy with files', 'fills copy, /tmp and /dev/shm together', 'makes too many files'],
  ...['starts processes without end', 'raises its limits'],
];
/** The same, where the machine has perl; some kernels lack one or the other. */
export const CONTROL_CALLS = ['reads a key of the session keyring', 'asks for the session keyring', 'traces a process'];

export type TryScene = Pick<Scene, 'base' | 'tree' | 'mark' | 'ports' | 'abstractName'>;

export function triesOf(scene: TryScene, supervisor: number): readonly Try[] {
  const keeping = [...reachTries(scene, supervisor), ...machineTries()].map((each) => ({ ...each, keepsCopy: true }));
  return [...fileTries(scene), ...keeping, ...limitTries(scene), ...systemCallTries()];
}

const reads = (name: string, path: string): Try => ({ name, command: `cat ${path} 2>/dev/null` });
const works = (name: string, command: string): Try => ({
  name,
  command: `if ${command} >/dev/null 2>&1; then echo ESCAPED; fi`,
});
const node = (name: string, script: string): Try => ({ name, command: `node -e '${script}' 2>/dev/null` });
const connect = (name: string, to: string): Try =>
  node(
    name,
    `require("net").connect(${to}).on("connect",()=>{console.log("ESCAPED");process.exit()}).on("error",()=>0)`,
  );
const sends = (name: string, to: string): Try =>
  node(name, `const s=require("dgram").createSocket(${to},()=>s.close())`);

function fileTries({ base, tree }: TryScene): readonly Try[] {
  const home = `${base}/home`;
  return [
    reads('reads a key in the home folder', `${home}/.ssh/id_rsa`),
    reads('reads a key of the real user', '~/.ssh/* /root/.ssh/* /home/*/.ssh/*'),
    reads('reads beside the work tree', '../sibling'),
    reads('reads above the work tree by many ..', `../../../../../../../../../..${home}/.ssh/id_rsa`),
    reads('follows a link to a file', 'to-secret'),
    reads('follows a link to a folder', 'to-folder/id_rsa'),
    { name: 'makes a link and follows it', command: `ln -s ${home}/.ssh/id_rsa mine; cat mine 2>/dev/null` },
    reads('reads the settings of git', '.git/config'),
    reads('reads the store', '.foreword/store.db'),
    reads("reads its parent's root", `/proc/1/root${home}/.ssh/id_rsa /proc/*/root${home}/.ssh/id_rsa`),
    reads("reads its parent's folder", '/proc/1/cwd/home/.ssh/id_rsa /proc/1/cwd/../../.ssh/id_rsa'),
    reads('reads passwords of the machine', '/etc/shadow /etc/sudoers /var/lib/*/* /run/secrets/*'),
    works('reads settings of the machine', 'cat /etc/ssh/* /etc/resolv.conf /etc/machine-id /etc/fstab'),
    reads('reads the copies of other runs', '/tmp/foreword-*/*/* /var/tmp/*/*'),
    works('makes a hard link to a key', `ln ${home}/.ssh/id_rsa stolen`),
    {
      name: 'deletes everything',
      command: `rm -rf ${tree}/* ${tree}/.[a-z]* ${home} ${base} ~ /tmp/* /usr/share/doc 2>/dev/null`,
    },
    ...CONTROL_FILES.map((file) => ({
      name: `plants ${file}`,
      command: `mkdir -p "$(dirname ${file})"; echo planted > ${file}; echo planted > ${home}/${file}`,
    })),
    {
      name: 'plants a shell start file',
      command: `echo x >> ${home}/.bashrc; echo x >> ~/.profile; echo x >> /etc/profile`,
    },
    {
      name: 'plants settings of git',
      command: 'git config --global core.hooksPath /tmp/x; git config --system core.hooksPath /tmp/x; git config a.b c',
    },
    works(
      'plants a timed job',
      'sh -c "echo \\* \\* \\* \\* \\* x | crontab -" || touch /var/spool/cron/x /etc/cron.d/x',
    ),
    {
      name: 'writes through a link',
      command: 'echo x > to-secret; echo x > to-folder/authorized_keys; echo x > to-file',
    },
    { name: 'writes through a hard link', command: 'echo changed > hard; echo changed >> src/a.txt' },
    { name: 'renames the parent', command: `mv ${tree} ${tree}.old; mkdir -p ${tree}; mv ${home}/work ${home}/moved` },
    works('writes to the system', 'touch /usr/bin/x || touch /etc/x || touch /bin/x || touch /x || touch /lib/x'),
    works('writes to a device folder', 'touch /dev/x'),
    works('preloads a library into every program', 'sh -c "echo $PWD/evil.so > /etc/ld.so.preload"'),
    {
      name: 'makes folders that cannot be removed',
      command: 'mkdir -p deep/er && touch deep/er/f && chmod 000 deep/er && chmod 000 deep',
    },
  ];
}

function reachTries({ base, ports, abstractName }: TryScene, supervisor: number): readonly Try[] {
  const home = `${base}/home`;
  return [
    { name: 'reads the environment of the first process', command: 'cat /proc/1/environ /proc/*/environ 2>/dev/null' },
    {
      name: 'finds variables',
      command: 'env | grep -vE "^(PATH|HOME|TMPDIR|LANG|PWD|OLDPWD|SHLVL|_)=" && echo ESCAPED',
    },
    works('sees many processes', `[ $(ls -d /proc/[0-9]* | wc -l) -gt 15 ]`),
    works('sees the supervisor', 'grep -q run-tr[i]es /proc/*/cmdline'),
    works('signals the supervisor', `kill -0 ${supervisor}`),
    { name: 'kills everything it can', command: 'kill -9 -1; kill -9 1; true' },
    works('reads the memory of the first process', 'dd if=/proc/1/mem bs=1 count=1 skip=4194304'),
    works(
      'sees a file of ours that is open',
      'ls /proc/1/fd/3 /proc/1/fd/[1-9][0-9]* || ls /proc/$$/fd/3 || ls /proc/$$/fd/[1-9][0-9]*',
    ),
    works('sees shared memory of others', 'sh -c "ipcs -m | grep -q 0x"'),
    connect('connects to a port', `${ports.tcp},"127.0.0.1"`),
    node(
      "asks the dashboard's port",
      `require("http").get("http://localhost:${ports.tcp}/",()=>console.log("ESCAPED")).on("error",()=>0)`,
    ),
    connect('connects to a port over IPv6', `${ports.tcp6},"::1"`),
    connect('connects to an abstract socket', `"\\0${abstractName}"`),
    connect('connects to a socket in the home folder', `"${home}/socket"`),
    connect('connects to a socket in the work tree', '"socket"'),
    connect('connects to the socket of a terminal multiplexer', `"${base}/tmux"`),
    connect('connects to the container daemon', '"/var/run/docker.sock"'),
    connect('connects to the message bus', '"/run/dbus/system_bus_socket"'),
    connect('connects to another machine', '53,"1.1.1.1"'),
    node('resolves a name', 'require("dns").lookup("example.com",(e)=>e||console.log("ESCAPED"))'),
    sends('sends a datagram', `"udp4");s.send("x",${ports.udp},"127.0.0.1"`),
    sends('sends a datagram over IPv6', `"udp6");s.on("error",()=>0);s.send("x",${ports.udp},"::1"`),
    works('has a network device', 'grep -vE "^(Inter| face| *lo:)" /proc/net/dev'),
    works('makes a network device', 'ip link add x type dummy'),
    works('finds a terminal multiplexer', 'tmux ls'),
    works('opens the terminal', 'sh -c ": <>/dev/tty"'),
    works(
      'types into the terminal',
      `perl -e 'for my $f (map { open(my $h, "+<", $_) ? $h : () } "/dev/tty", "/dev/fd/0", "/dev/fd/1", "/dev/fd/2") { my $c = "x"; exit 0 if ioctl($f, 0x5412, $c) } exit 1'`,
    ),
  ];
}

function machineTries(): readonly Try[] {
  return [
    works('mounts', 'mount -t tmpfs none /tmp'),
    works('makes the system writable', 'mount -o remount,bind,rw /usr || mount -o remount,rw /'),
    works('makes its space larger', 'mount -o remount,size=1G . || mount -o remount,size=1G /tmp'),
    works('takes the copy off', `umount -l "$PWD" || umount /proc || umount /proc/keys`),
    works('changes its root', 'chroot / true'),
    works('makes a device', 'mknod disk b 8 0 || mknod /tmp/disk b 254 0 || mknod kmem c 1 2'),
    works('makes a user namespace', 'unshare -Ur true'),
    works('makes a sandbox of its own', 'bwrap --bind / / --unshare-user true'),
    works('enters another namespace', 'nsenter -t 1 -m true'),
    works('becomes another user', 'su -c true nobody || sudo -n true || setpriv --reuid=1 true'),
    {
      name: 'makes a program with its owner rights',
      command: 'cp /usr/bin/id i && chmod 4755 i && setpriv --dump | grep -q "no_new_privs: 1" || echo ESCAPED',
    },
    works('has capabilities', 'grep -E "^Cap(Eff|Prm|Bnd|Amb):.*[1-9a-f]" /proc/self/status'),
    works(
      'changes the kernel',
      'sh -c ": >>/proc/sys/kernel/core_pattern || : >>/proc/sysrq-trigger || : >>/proc/sys/vm/swappiness"',
    ),
    works('changes its score for the memory killer', 'sh -c "echo -1000 > /proc/self/oom_score_adj"'),
    works('sees the control groups', 'ls /sys/fs/cgroup || ls /sys/kernel'),
    works(
      'sets a release agent',
      'sh -c "echo /x > /sys/fs/cgroup/release_agent || echo /x > /sys/fs/cgroup/*/release_agent"',
    ),
    works('reads kernel memory', 'head -c1 /proc/kcore || head -c1 /dev/mem || head -c1 /dev/kmsg'),
    works('reads the messages of the kernel', 'dmesg'),
    works('lists the keys', 'grep . /proc/keys || grep . /proc/key-users'),
    works('reads the disk', 'head -c1 /dev/vda || head -c1 /dev/sda || head -c1 /dev/nvme0n1'),
    works(
      'finds other devices',
      'ls /dev/fuse || ls /dev/kvm || ls /dev/net/tun || ls /dev/vsock || ls /dev/loop-control',
    ),
    works('sets the clock', 'date -s "2001-01-01"'),
    works('sets the name of the machine', 'hostname evil'),
    works('restarts the machine', 'sh -c "[ -w /proc/sysrq-trigger ] || [ -S /run/systemd/private ]"'),
  ];
}

function limitTries({ mark }: TryScene): readonly Try[] {
  return [
    works('writes a file of 10 GiB', 'truncate -s 10G big'),
    works('reserves more than the limit', 'fallocate -l 40M big'),
    works(
      'fills the copy with files',
      'sh -c "for i in 1 2 3 4 5 6 7 8; do head -c 4M /dev/zero > f\\$i || exit 1; done"',
    ),
    works(
      'fills copy, /tmp and /dev/shm together',
      'sh -c "for i in . /tmp /dev/shm; do head -c 7M /dev/zero > \\$i/a && head -c 7M /dev/zero > \\$i/b || exit 1; done"',
    ),
    works('makes too many files', `sh -c 'i=0; while [ $i -lt 600 ]; do : > f$i || exit 1; i=$((i+1)); done'`),
    works('makes too many folders', `sh -c 'i=0; while [ $i -lt 600 ]; do mkdir f$i || exit 1; i=$((i+1)); done'`),
    works('fills the memory', 'sh -c "dd if=/dev/zero of=/tmp/fill bs=1M count=64"'),
    works('fills shared memory', 'sh -c "dd if=/dev/zero of=/dev/shm/fill bs=1M count=64"'),
    works('takes 9 GiB of memory', `perl -e '$x = "x" x 9e9'`),
    works('raises its limits', 'sh -c "ulimit -f unlimited" || sh -c "ulimit -c 1000" || sh -c "ulimit -d unlimited"'),
    works('raises its priority', 'renice -n -5 -p $$'),
    {
      name: 'starts processes without end',
      command: `perl -e 'my @p; for (1..600) { my $p = fork; if (!defined $p) { kill 9, @p; exit } if (!$p) { sleep 20; exit } push @p, $p } print "ESCAPED"; kill 9, @p'`,
      lack: 'a limit on processes',
    },
    { name: 'leaves a core dump', command: 'sh -c "kill -SEGV \\$\\$"; ls core* 2>/dev/null && echo ESCAPED' },
    { name: 'leaves a file in shared memory', command: `echo x > /dev/shm/${mark}; echo x > /tmp/${mark}` },
    {
      name: 'leaves a process',
      command: `sleep ${mark} & (setsid sleep ${mark} &) ; nohup setsid sleep ${mark} >/dev/null 2>&1 &`,
    },
    { name: 'sleeps past its time', command: `sleep ${mark}; echo ESCAPED`, timeoutMs: 300 },
    {
      name: 'leaves processes that ignore signals',
      command: `trap "" TERM HUP; (trap "" TERM; setsid sleep ${mark}) & sleep ${mark}`,
      timeoutMs: 300,
    },
    {
      name: 'leaves 200 processes',
      command: `i=0; while [ $i -lt 200 ]; do (setsid sleep ${mark} &); i=$((i+1)); done; wait; sleep ${mark}`,
      timeoutMs: 1_500,
    },
  ];
}
