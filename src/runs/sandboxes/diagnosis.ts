// Why a level cannot be used on this machine, from what its program printed, and what a person can do about it.

import { readFileSync } from 'node:fs';
import { oneLine } from '../../kernel/safe-text.ts';

export interface Missing {
  readonly kind: 'missing';
  readonly reason: string;
  readonly hint: string;
}

const INSTALL = {
  bubblewrap: 'Install it: apt install bubblewrap, dnf install bubblewrap, or apk add bubblewrap.',
  unshare: 'Install it: apt install util-linux, dnf install util-linux, or apk add util-linux setpriv.',
};

export function notInstalled(level: keyof typeof INSTALL, program: string): Missing {
  const reason = `${level}: no program ${program} on the search path outside the work tree`;
  return { kind: 'missing', reason, hint: INSTALL[level] };
}

/** `sysctl` reads one kernel setting; `undefined` when this kernel does not have it. */
export function diagnose(
  level: keyof typeof INSTALL,
  output: string,
  sysctl: (path: string) => string | undefined = readSysctl,
): Missing {
  const missing = (why: string, hint: string): Missing => ({
    kind: 'missing',
    reason: `${level}: ${why} (${oneLine(output, 300)})`,
    hint,
  });
  const isRefused = /uid.?map|namespace|unshare failed|RTM_NEWADDR|Operation not permitted|Permission denied/i.test(
    output,
  );
  if (isRefused && sysctl('kernel/apparmor_restrict_unprivileged_userns') === '1') {
    return missing(
      'AppArmor forbids user namespaces for ordinary users',
      'Allow it for bubblewrap alone: apt install apparmor-profiles, then link ' +
        '/usr/share/apparmor/extra-profiles/bwrap-userns-restrict into /etc/apparmor.d/ and load it with apparmor_parser -r.',
    );
  }
  if (isRefused && sysctl('kernel/unprivileged_userns_clone') === '0') {
    return missing(
      'user namespaces are off for ordinary users',
      'Turn them on: sysctl kernel.unprivileged_userns_clone=1.',
    );
  }
  if (isRefused && sysctl('user/max_user_namespaces') === '0') {
    return missing('user namespaces are off', 'Turn them on: sysctl user.max_user_namespaces=10000.');
  }
  if (/Creating new namespace failed|No permissions to create|unshare failed/.test(output)) {
    return missing(
      'this machine does not allow namespaces',
      'In a container, allow user namespaces (a seccomp profile that permits unshare and mount), or run outside of it.',
    );
  }
  return missing(
    'its self-test failed',
    'Fix what it reports, or choose another sandbox.level; criteria without a check need review.',
  );
}

function readSysctl(path: string): string | undefined {
  try {
    return readFileSync(`/proc/sys/${path}`, 'utf8').trim();
  } catch {
    // This kernel has no such setting.
    return undefined;
  }
}
