// Whether an agent that runs only trusted hooks will run ours. Where it keeps that trust is in the agent's folder.

import { createHash } from 'node:crypto';
import type { TrustFacts } from '../kernel/agent-install.ts';
import { plainOf, readJsonc } from './jsonc.ts';
import { isTable, tomlOf } from './person-setting.ts';
import { isOurCommand } from './shell-command.ts';
import type { Site } from './target.ts';

/** `modified`: it was trusted, and is another one now. `disabled`: by the person, one by one. `off`: all hooks. `folder not trusted`:
 *  those of this project, until the person trusts it. */
export type HookTrust =
  | 'trusted'
  | 'waits for review'
  | 'modified'
  | 'disabled'
  | 'off'
  | 'folder not trusted'
  | 'unknown';

export interface TrustFiles {
  readonly site: Site;
  /** The text of the file with our hooks. */
  readonly text: string;
  /** Paths under which the agent may know that file. */
  readonly names: readonly string[];
  /** The text of the person's file with the trusted hooks; `undefined` when there is none. */
  readonly kept: string | undefined;
}

export function hookTrust(facts: TrustFacts, { site, text, names, kept }: TrustFiles): HookTrust {
  const hooks = hooksIn(site, text);
  const agreed = kept === undefined ? {} : tomlOf(kept);
  if (hooks === undefined || agreed === undefined) return 'unknown';
  const sha256 = (value: string) => createHash('sha256').update(value).digest('hex');
  const isTrusted = facts.isTrusted({ hooks, kept: agreed, names, isOurs: isOurCommand, sha256 });
  return isTrusted ? 'trusted' : 'waits for review';
}

/** An absent table is empty in TOML; `undefined` when the text cannot be parsed. */
function hooksIn(site: Site, text: string): Readonly<Record<string, unknown>> | undefined {
  if (site.format === 'toml') {
    const whole = tomlOf(text);
    if (whole === undefined) return undefined;
    return isTable(whole.hooks) ? whole.hooks : {};
  }
  const read = readJsonc(text);
  const value = read.ok && read.root !== undefined ? plainOf(text, read.root) : undefined;
  return isTable(value) && isTable(value.hooks) ? value.hooks : undefined;
}
