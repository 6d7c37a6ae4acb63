// Where screens are recorded: namespaces without network, in which /srv holds the programs and everything made for the
// recording, so that no path of this machine can be on a screen.

import { spawnSync } from 'node:child_process';
import { importSource } from '../import-source.mjs';
import { labFolder } from './install.mjs';

/** Inside, the installed agents are here and everything made is below LAB. */
export const PROGRAMS = '/srv/agents';
export const LAB = '/srv/lab';
/** Its own mounts and processes: what an agent leaves running ends with the recording. */
const OWN = ['unshare', '-m', '-p', '-f', '--kill-child', '--mount-proc'];
const INSIDE = 'FOREWORD_LAB_INSIDE';

export const isInside = process.env[INSIDE] !== undefined;

/** Runs this program again inside, where the names of `hosts` lead to loopback; its exit status. */
export async function goInside(hosts = []) {
  const { inNamespace } = await importSource('src/system/network-namespace.ts');
  const namespace = inNamespace();
  if (!namespace.isAvailable) {
    console.error(`Agents are recorded without network only: ${namespace.reason}.`);
    return 3;
  }
  const setup = `mount -t tmpfs lab /srv && mkdir ${PROGRAMS} ${LAB} && mount --bind "$1" ${PROGRAMS} && shift &&
echo 127.0.0.1 localhost ${hosts.join(' ')} > /srv/hosts && mount --bind /srv/hosts /etc/hosts && exec "$@"`;
  const again = [process.execPath, ...process.argv.slice(1)];
  const [program, ...args] = namespace.wrap([...OWN, 'sh', '-c', setup, 'sh', labFolder(), ...again]);
  return spawnSync(program, args, { stdio: 'inherit', env: { ...process.env, [INSIDE]: '1' } }).status ?? 1;
}
