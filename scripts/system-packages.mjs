// Programs the tests need besides npm packages. Installs what is missing where that is possible without asking (as root
// on a system with apt), and says so; elsewhere it names what is missing and how to get it.

import { spawnSync } from 'node:child_process';

/** `needed`: program → Debian package. Exits with 3 when one that is not in `optional` stays missing: tests for those say
 *  why they are skipped. */
export function needSystemPackages(needed, optional = []) {
  const missing = Object.entries(needed).filter(([program]) => !isThere(program));
  if (missing.length === 0) return;
  const packages = [...new Set(missing.map(([, name]) => name))];
  if (process.getuid?.() === 0 && isThere('apt-get')) {
    console.log(`installing for the tests: apt-get install ${packages.join(' ')}`);
    const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
    spawnSync('apt-get', ['update', '-qq'], { stdio: 'ignore', env });
    // Each by itself where it can be done without: one that cannot be had takes no other along.
    const must = missing.filter(([program]) => !optional.includes(program)).map(([, name]) => name);
    const rounds = [must, ...missing.filter(([program]) => optional.includes(program)).map(([, name]) => [name])];
    for (const names of rounds.filter(({ length }) => length > 0)) {
      // Debian starts a server it installs; these tests start their own, so starting is refused for the install.
      spawnSync('apt-get', ['install', '-y', '-qq', '--no-install-recommends', ...names], {
        stdio: ['ignore', 'ignore', 'inherit'],
        env: { ...env, RUNLEVEL: '1' },
      });
    }
  }
  const still = missing.filter(([program]) => !isThere(program) && !optional.includes(program));
  if (still.length === 0) return;
  console.error(
    `The tests need ${still.map(([program]) => program).join(', ')}. Install: ${packages.join(' ')} (Debian names), then run this again.`,
  );
  process.exit(3);
}

function isThere(program) {
  return spawnSync('sh', ['-c', 'command -v "$1"', 'sh', program], { stdio: 'ignore' }).status === 0;
}
