// What the self-test's command does inside. Each probe that gets out prints a line `fault: …`; the last line shows that
// no probe was skipped. CommonJS for `node -e`: it needs only node.

export interface ProbeFacts {
  readonly tree: string;
  /** Files that must not be readable. */
  readonly canaries: readonly string[];
  /** Folders that must not be there, or be others: `device:inode` as seen from outside. */
  readonly folders: readonly { readonly path: string; readonly identity: string }[];
  /** Folders in which no file can be made. */
  readonly closed: readonly string[];
  /** Files that must not come to be outside. Inside, their folders may be memory, where writing does no harm. */
  readonly traces: readonly string[];
  readonly port: number;
  readonly refusesNested: boolean;
  readonly hasFilter: boolean;
  /** What commands may write in all; `undefined` when there is no limit. */
  readonly writtenBytes: number | undefined;
  /** System calls that the filter refuses, as words for perl's `syscall`. */
  readonly calls: readonly { readonly name: string; readonly words: readonly number[] }[];
  /** To end with: shows that the status comes through. */
  readonly status: number;
  /** To say at the end: a program that runs nothing does not know it. */
  readonly word: string;
}

export const PROBES = `
const fs = require('node:fs');
const facts = JSON.parse(process.argv[1]);
const fault = (text) => console.log('fault: ' + text);
const can = (act) => { try { return act() !== false; } catch { return false; } };

if (process.cwd() !== facts.tree || fs.readFileSync('inside', 'utf8') !== 'original') fault('the copy is not in its place');
const write = (path) => fs.writeFileSync(path, 'x'); // house-rule: no-plain-write
write('inside');
for (const path of facts.canaries) if (can(() => fs.readFileSync(path))) fault('a command can read ' + path);
for (const { path, identity } of facts.folders) {
  const same = can(() => { const s = fs.statSync(path, { bigint: true }); return s.dev + ':' + s.ino === identity; });
  if (same) fault('a command can see ' + path);
}
for (const folder of facts.closed) {
  const path = folder + '/.foreword-probe-' + process.pid;
  if (!can(() => write(path))) continue;
  fault('a command can write to ' + folder);
  can(() => fs.unlinkSync(path));
}
for (const path of facts.traces) can(() => write(path));
const others = fs.readdirSync('/proc').filter((name) => /^[0-9]+$/.test(name)).length;
if (others > 10) fault('a command can see ' + others + ' processes');
const known = ['PATH', 'HOME', 'TMPDIR', 'LANG', 'PWD', 'OLDPWD', 'SHLVL', '_'];
for (const name of Object.keys(process.env)) if (!known.includes(name)) fault('a command gets the variable ' + name);
const status = fs.readFileSync('/proc/self/status', 'utf8');
if (!/^CapEff:\\s*0+$/m.test(status) || !/^CapBnd:\\s*0+$/m.test(status)) fault('a command has capabilities');
if (!/^NoNewPrivs:\\s*1$/m.test(status)) fault('a command can gain privileges');
if (can(() => fs.openSync('/proc/sys/kernel/core_pattern', 'r+'))) fault('a command can change the kernel');
if (can(() => fs.openSync('/dev/tty', 'r+'))) fault('a command can reach the terminal');
if (facts.refusesNested) {
  const nested = require('node:child_process').spawnSync('unshare', ['-U', 'true']);
  if (nested.status === 0) fault('a command can make user namespaces');
}
if (facts.hasFilter) {
  if (!/^Seccomp:\\s*2$/m.test(status)) fault('a command runs without the filter of system calls');
  const script = facts.calls.map((call) => 'print "' + call.name + '\\\\n" if syscall(' + call.words.join() + ') >= 0 || ($! != 1 && $! != 97);');
  const allowed = require('node:child_process').spawnSync('perl', ['-e', script.join('')], { encoding: 'utf8' });
  for (const name of allowed.error ? [] : allowed.stdout.split('\\n').filter(Boolean)) fault('a command can use ' + name);
}
if (facts.writtenBytes !== undefined) {
  // A little is in use already: Node's own files, pages that are not full.
  for (const place of ['.', '/tmp', '/dev/shm']) {
    const { type, bavail, bsize } = fs.statfsSync(place);
    if (type !== 0x01021994 || bavail * bsize > facts.writtenBytes) fault('a command can write without limit to ' + place);
  }
}
const socket = require('node:net').connect(facts.port, '127.0.0.1');
const finish = () => { console.log('all probes ran ' + facts.word); process.exitCode = facts.status; socket.destroy(); };
socket.on('connect', () => { fault('a command can reach a port of this machine'); finish(); });
socket.on('error', finish);
`;
