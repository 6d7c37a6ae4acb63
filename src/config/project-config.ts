// The configuration of one project, with what a person agreed to in it. Settings of a repository's own file that decide which
// programs run are ignored until a person agreed to exactly that content.

import { resolve } from 'node:path';
import type { Environment } from '../system/environment.ts';
import { agree, agreedText, isAgreed, type Parts, partsText } from './agreed.ts';
import { type Config, checkAgents, loadConfig, type Origin } from './load.ts';

export interface ProjectConfig {
  readonly config: Config;
  /** The parts of the repository's own configuration that need a person's agreement. */
  readonly trust: ConfigTrust;
  /** Every setting with its value and where it came from; a password in the store's URL is not shown. */
  origins(): Readonly<Record<string, Origin>>;
  /** Throws `bad-config` with every fault in the settings about agents. */
  checkAgents(known: Parameters<typeof checkAgents>[1]): void;
}

/** The settings that say where records are kept. */
export type StoreSetting = 'store' | 'fleet' | 'allowVolatile' | 'allowPlainRedis';

export interface ConfigTrust {
  /** Empty when nothing needs agreement. */
  readonly parts: Parts;
  /** The parts as text, for the person to read. */
  readonly text: string;
  readonly isAgreed: boolean;
  /** The text that the person agreed to last. */
  readonly before: string | undefined;
  agree(): void;
}

/** Throws `bad-config` with every fault at once. */
export function openProjectConfig(options: {
  readonly root: string;
  readonly cwd: string;
  readonly env: Environment;
  /** Agreements are kept there. */
  readonly stateFolder: string;
  /** --config, as the person gave it. */
  readonly file: string | undefined;
  /** Settings given by flags, as the person gave them. */
  readonly flags: Readonly<Partial<Record<StoreSetting, string | boolean | undefined>>>;
}): ProjectConfig {
  const { root, cwd, env, stateFolder } = options;
  const file = options.file === undefined ? undefined : resolve(cwd, options.file);
  const sources = { root, cwd, env, file, flags: options.flags };
  const untrusted = loadConfig(sources);
  const { parts } = untrusted.needsTrust;
  const needsAgreement = untrusted.ignored.length > 0;
  const at = { root, stateFolder };
  const isTrusted = needsAgreement && isAgreed(parts, at);
  const loaded = isTrusted ? loadConfig({ ...sources, isTrusted }) : untrusted;
  return {
    config: loaded.config,
    trust: {
      parts: needsAgreement ? parts : {},
      isAgreed: !needsAgreement || isTrusted,
      text: partsText(parts),
      before: agreedText(at),
      agree: () => agree(parts, at),
    },
    origins: () => withoutPassword(loaded.origins),
    checkAgents: (known) => checkAgents(loaded, known),
  };
}

function withoutPassword(origins: Readonly<Record<string, Origin>>): Readonly<Record<string, Origin>> {
  const { store } = origins;
  if (typeof store?.value !== 'string') return origins;
  return { ...origins, store: { ...store, value: store.value.replace(/:\/\/[^@/]*@/, () => '://…@') } };
}
