// The configuration of one project, with what a person agreed to in it. Settings of a repository's own file that decide which
// programs run are ignored until a person agreed to exactly that content.

import { resolve } from 'node:path';
import type { Environment } from '../system/environment.ts';
import { type Agreement, agree, isSameAgreement, type Parts, partsText, readAgreed } from './agreed.ts';
import { type Config, checkAgents, loadConfig, type Origin } from './load.ts';
import { isMap } from './schemas/document.ts';
import { changedFiles, type NamedFiles, namedFiles, type TrustedFileChange } from './trusted-files.ts';

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
  /** The files of the project that the commands name. With faults, nobody can agree. */
  readonly named: NamedFiles;
  readonly isAgreed: boolean;
  /** The text that the person agreed to last. */
  readonly before: string | undefined;
  /** Files that are otherwise than when the person agreed; empty when there was no agreement. */
  readonly changes: readonly TrustedFileChange[];
  agree(): void;
  /** Looks again, right before an agent is started that works in `cwd`: why it must not be, or `undefined`. */
  refusal(agent: string, cwd: string): string | undefined;
  /** The same for `run.prepare` and `run.notify`. */
  prepareRefusal(cwd: string): string | undefined;
  notifyRefusal(cwd: string): string | undefined;
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
  const named = needsAgreement ? namedFiles(parts, root) : NOTHING_NAMED;
  const agreed = needsAgreement ? readAgreed(at) : undefined;
  const now: Agreement = { text: partsText(parts), files: named.files };
  const isTheSame = agreed !== undefined && named.faults.length === 0 && isSameAgreement(agreed, now);
  const trusted = isTheSame ? loadConfig({ ...sources, isTrusted: true }) : undefined;
  // The file was read again, and what works in the project can exchange it meanwhile.
  const isTrusted = trusted !== undefined && partsText(trusted.needsTrust.parts) === now.text;
  const loaded = isTrusted ? trusted : untrusted;
  const refusalFor = (setting: string) => (folder: string) =>
    Object.hasOwn(parts, setting) && isTrusted ? refusalOf(readAgreed(at), { parts, root, folder }) : undefined;
  return {
    config: loaded.config,
    trust: {
      parts: needsAgreement ? parts : {},
      isAgreed: !needsAgreement || isTrusted,
      text: now.text,
      named,
      before: agreed?.text,
      changes: agreed === undefined ? [] : changedFiles(agreed.files, named.files),
      agree: () => agree(now, at),
      refusal: (agent, folder) =>
        isMap(parts.agents) && Object.hasOwn(parts.agents, agent) && isTrusted
          ? refusalOf(readAgreed(at), { parts, root, folder })
          : undefined,
      prepareRefusal: refusalFor('run.prepare'),
      notifyRefusal: refusalFor('run.notify'),
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

const NOTHING_NAMED: NamedFiles = { files: [], faults: [], folders: [] };

/** A relative path in a command may mean a file of the project or of the folder that the agent works in. A person may have
 *  agreed to changed files meanwhile. */
function refusalOf(
  agreed: Agreement | undefined,
  at: { readonly parts: Parts; readonly root: string; readonly folder: string },
): string | undefined {
  const { parts, root, folder } = at;
  if (agreed?.text !== partsText(parts)) return 'the settings in use are no longer what you agreed to. Run it again';
  const here = namedFiles(parts, root);
  const there = folder === root ? here : namedFiles(parts, folder, root);
  // A whole path means the same file from everywhere.
  const isHere = (path: string) => here.files.some((file) => resolve(root, file.path) === path);
  const known = new Map(agreed.files.map(({ path, hash }) => [path, hash]));
  const changed = [
    ...changedFiles(agreed.files, here.files),
    ...there.files.filter(({ path, hash }) => known.get(path) !== hash && !isHere(resolve(folder, path))),
  ].map(({ path }) => `${path} changed.`);
  const [first] = [...here.faults, ...there.faults, ...changed];
  return first === undefined ? undefined : `its command is not what you agreed to: ${first} Run foreword trust`;
}
