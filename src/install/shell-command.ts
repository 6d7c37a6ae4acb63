// The shell command that agents run for us, and how to recognise it.

import { HOOK_EVENTS, type HookEvent } from '../kernel/hook-events.ts';
import { shellWord } from '../kernel/shell-word.ts';

/** One command line for `sh -c`. When the program is gone, it does nothing and exits with 0: a person may remove the package
 *  before `foreword uninstall`, and some agents would then refuse every tool or prompt. `exec` saves the process that would
 *  wait for it. `unless` is a shell test; when it succeeds, the program does not run. */
export function hookLine(words: readonly string[], unless?: string): string {
  const [program = '', ...rest] = words.map(shellWord);
  const others = unless === undefined ? '' : `${unless} || `;
  return `test ! -x ${program} || ${others}exec ${[program, ...rest].join(' ')}`;
}

/** For `sh`, with the words of the hook program as `$0`, `$1` and `$2`. The first `foreword` on the PATH counts that is not in
 *  the repository around the working directory: a clone, or an agent at work in it, could put one there. A repository that
 *  holds the home is the person's own; relative entries of the PATH never count. The hook program is beside the command, or
 *  beside the target of its link. `${PATH#}` is `$PATH`, which some agents replace before the shell sees it (Gemini CLI 0.61). */
const FIND = [
  // biome-ignore lint/suspicious/noTemplateCurlyInString: the shell replaces it
  '_t=$(pwd -P) _w=$_t; while [ "$_t" ] && [ ! -e "$_t/.git" ]; do _t=${_t%/*}; done',
  // biome-ignore lint/suspicious/noTemplateCurlyInString: the shell replaces it
  'case ${HOME#}/ in "$_t"/*) _t=$_w; esac',
  // biome-ignore lint/suspicious/noTemplateCurlyInString: the shell replaces it
  'set -f; IFS=:; for _d in ${PATH#}; do case $_d in /*) ;; *) continue; esac; [ -x "$_d/foreword" ] || continue',
  'case $(cd -P "$_d" && pwd)/ in "$_t"/*) continue; esac',
  // biome-ignore lint/suspicious/noTemplateCurlyInString: the shell replaces it
  '_h=$_d/$0; [ -x "$_h" ] || { _h=$(readlink -f "$_d/foreword"); _h=${_h%/*}/../hook/$0; }',
  '[ ! -x "$_h" ] || exec "$_h" "$@"; exec "$_d/foreword" hook "$1" --agent "$2"; done',
].join('; ');

/** How the line of an entry begins that is committed. Without foreword this is all that runs. */
const TEAM = 'command -v foreword >/dev/null || exit 0; ';

/** One command line that names no path of a machine, for any shell that an agent may use (sh, bash, zsh, fish). Where foreword
 *  is not installed it does nothing, prints nothing and exits with 0. */
export function teamLine(event: string, agent: string, unless?: string): string {
  const others = unless === undefined ? '' : `${unless} && exit 0; `;
  return `${TEAM}${others}exec sh -c '${FIND}' foreword-hook ${event} ${agent}`;
}

/** Whether a command of ours is one that is committed. */
export function isTeamCommand(command: string): boolean {
  return command.startsWith(TEAM);
}

const OURS = /(?:^|[\s/'])foreword-hook'? ([a-z-]+) [a-z][a-z-]*\s*$/;

/** Whether a command of a hook entry runs our program, whatever its path and whatever is before it. */
export function isOurCommand(command: unknown): boolean {
  const event = typeof command === 'string' ? OURS.exec(command)?.[1] : undefined;
  return event !== undefined && HOOK_EVENTS.includes(event as HookEvent);
}
