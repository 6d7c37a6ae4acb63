// Ways out that a command could try. Each prints ESCAPED when it got somewhere; what it does without saying so shows in
// the scene afterwards.

import { CONTROL_FILES, type Scene } from './scene.ts';

export interface Attempt {
  readonly name: string;
  readonly command: string;
  readonly timeoutMs?: number;
}

export function attemptsOf(scene: Scene, supervisor: number): readonly Attempt[] {
  const { base, tree, mark, ports } = scene;
  const home = `${base}/home`;
  const reads = (name: string, path: string): Attempt => ({ name, command: `cat ${path} 2>/dev/null` });
  const works = (name: string, command: string): Attempt => ({
    name,
    command: `if ${command} >/dev/null 2>&1; then echo ESCAPED; fi`,
  });
  const node = (name: string, script: string): Attempt => ({ name, command: `node -e '${script}' 2>/dev/null` });
  const connect = (name: string, to: string): Attempt =>
    node(
      name,
      `require("net").connect(${to}).on("connect",()=>{console.log("ESCAPED");process.exit()}).on("error",()=>0)`,
    );
  return [
    reads('reads a key in the home folder', `${home}/.ssh/id_rsa`),
    reads('reads a key of the real user', '~/.ssh/* /root/.ssh/* /home/*/.ssh/*'),
    reads('reads beside the work tree', '../sibling'),
    reads('follows a link to a file', 'to-secret'),
    reads('follows a link to a folder', 'to-folder/id_rsa'),
    reads('reads the settings of git', '.git/config'),
    reads('reads the store', '.foreword/store.db'),
    reads("reads its parent's root", `/proc/1/root${home}/.ssh/id_rsa /proc/*/root${home}/.ssh/id_rsa`),
    reads("reads its parent's folder", '/proc/1/cwd/home/.ssh/id_rsa /proc/1/cwd/../../.ssh/id_rsa'),
    reads('reads passwords of the machine', '/etc/shadow /etc/sudoers /var/lib/*/* /run/secrets/*'),
    { name: 'reads the environment of the first process', command: 'cat /proc/1/environ /proc/*/environ 2>/dev/null' },
    {
      name: 'finds variables',
      command: 'env | grep -vE "^(PATH|HOME|TMPDIR|LANG|PWD|OLDPWD|SHLVL|_)=" && echo ESCAPED',
    },
    works('makes a hard link to a key', `ln ${home}/.ssh/id_rsa stolen`),
    works('sees many processes', `[ $(ls -d /proc/[0-9]* | wc -l) -gt 15 ]`),
    works('sees the supervisor', `grep -q v[i]test /proc/*/cmdline`),
    works('signals the supervisor', `kill -0 ${supervisor}`),
    { name: 'kills everything it can', command: 'kill -9 -1; kill -9 1; true' },
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
      name: 'writes through a link',
      command: 'echo x > to-secret; echo x > to-folder/authorized_keys; echo x > to-file',
    },
    { name: 'writes through a hard link', command: 'echo changed > hard; echo changed >> src/a.txt' },
    { name: 'renames the parent', command: `mv ${tree} ${tree}.old; mkdir -p ${tree}; mv ${home}/work ${home}/moved` },
    works('writes to the system', 'touch /usr/bin/x || touch /etc/x || touch /bin/x || touch /x || touch /lib/x'),
    works('writes to a device folder', 'touch /dev/x'),
    { name: 'leaves a file in shared memory', command: `echo x > /dev/shm/${mark}; echo x > /tmp/${mark}` },
    connect('connects to a port', `${ports.tcp},"127.0.0.1"`),
    connect('connects to a port over IPv6', `${ports.tcp6},"::1"`),
    connect('connects to an abstract socket', `"\\0${scene.abstractName}"`),
    connect('connects to a socket in the home folder', `"${home}/socket"`),
    connect('connects to a socket in the work tree', '"socket"'),
    connect('connects to the container daemon', '"/var/run/docker.sock"'),
    connect('connects to another machine', '53,"1.1.1.1"'),
    node(
      'sends a datagram',
      `const s=require("dgram").createSocket("udp4");s.send("x",${ports.udp},"127.0.0.1",()=>s.close())`,
    ),
    works('has a network device', 'grep -vE "^(Inter| face| *lo:)" /proc/net/dev'),
    works('finds a terminal multiplexer', 'tmux ls'),
    works('opens the terminal', 'sh -c ": <>/dev/tty"'),
    works('mounts', 'mount -t tmpfs none /tmp'),
    works('makes the system writable', 'mount -o remount,bind,rw /usr || mount -o remount,rw /'),
    works('takes the copy off', `umount -l ${tree} || umount /proc`),
    works('changes its root', 'chroot / true'),
    works('makes a device', 'mknod disk b 8 0 || mknod /tmp/disk b 254 0'),
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
    works('reads kernel memory', 'head -c1 /proc/kcore || head -c1 /dev/mem || head -c1 /dev/kmsg'),
    works('reads the memory of the first process', 'dd if=/proc/1/mem bs=1 count=1 skip=4194304'),
    works(
      'sees a file of ours that is open',
      'ls /proc/1/fd/3 /proc/1/fd/[1-9][0-9]* || ls /proc/$$/fd/3 || ls /proc/$$/fd/[1-9][0-9]*',
    ),
    works('reads the disk', 'head -c1 /dev/vda || head -c1 /dev/sda || head -c1 /dev/nvme0n1'),
    works('writes a file of 10 GiB', 'truncate -s 10G big'),
    works('fills the memory', 'sh -c "dd if=/dev/zero of=/tmp/fill bs=1M count=64"'),
    works('fills shared memory', 'sh -c "dd if=/dev/zero of=/dev/shm/fill bs=1M count=64"'),
    { name: 'leaves a core dump', command: 'sh -c "kill -SEGV \\$\\$"; ls core* 2>/dev/null && echo ESCAPED' },
    {
      name: 'leaves a process',
      command: `sleep ${mark} & (setsid sleep ${mark} &) ; nohup setsid sleep ${mark} >/dev/null 2>&1 &`,
    },
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
    {
      name: 'makes folders that cannot be removed',
      command: 'mkdir -p deep/er && touch deep/er/f && chmod 000 deep/er && chmod 000 deep',
    },
  ];
}
