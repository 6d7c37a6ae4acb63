// The process that tmux starts in the pane. It becomes the parent of the agent, reports the agent's pid and status to tmux,
// and stays when the agent ended: tmux (3.3a to 3.7) closes a pane the moment its process ends and throws away what it has
// not read, up to all of a short program's output. It ends when the session does.
//
// A shell, so that it costs little. The agent is in its process group: a signal to the group ends both.

import { existsSync } from 'node:fs';

/** Hands variables with odd names on, which other shells drop; without reading start-up files. */
const BASH = ['/bin/bash', '/usr/bin/bash', '/usr/local/bin/bash'];
/** What a shell sets for its programs: `env` sets it back (start-check.ts). */
export const SET_BY_SHELLS = ['_', 'OLDPWD', 'SHLVL'];

/** The signals reach the agent, too; here they must not end the wait for it. HUP must: it is sent to this process alone
 *  when tmux goes, and the system sends it to the group when this process ends. */
const script = (flags: string) => `
tmux=$1 shell=$2
shift 2
trap : INT QUIT TERM TSTP
"$shell" ${flags} -c '"$0" set-option -p -t "$TMUX_PANE" @agent $$ && exec "$@"' "$tmux" "$@"
"$tmux" set-option -p -t "$TMUX_PANE" @status $?
"$tmux" wait-for foreword-is-done
`;

/** The command of the pane; `tmux` is the path of the program. */
export function keeping(tmux: string, command: readonly string[]): readonly string[] {
  const bash = BASH.find((path) => existsSync(path));
  const [shell, flags] = bash === undefined ? ['/bin/sh', ''] : [bash, '--posix'];
  return [shell, ...(flags === '' ? [] : [flags]), '-c', script(flags), 'foreword-keeper', tmux, shell, ...command];
}
