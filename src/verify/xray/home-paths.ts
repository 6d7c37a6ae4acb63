// Paths of a person's home, as an xray sees them.

import { type Dirent, readdirSync, realpathSync, type Stats, statSync } from 'node:fs';
import { dirname, relative, resolve, sep } from 'node:path';

/** Folders and files that no copy and no mount brings along, whatever names them and wherever they are. Programs in some of them: KNOWN in
 *  programs-below.ts. */
export const PRIVATE: ReadonlySet<string> = new Set([
  ...['.ssh', '.gnupg', '.pki', '.password-store', '.aws', '.azure', '.oci', '.kube', '.minikube', '.docker'],
  ...['.mozilla', '.thunderbird', '.keybase', '.terraform.d', '.databricks', '.snowflake', '.kaggle', '.huggingface'],
  ...['.npm', '.cargo', '.gradle', '.m2', '.gem', '.bundle', '.composer', '.nuget', '.fly', '.mc', '.var', '.dbus'],
  ...['.netrc', '.git-credentials', '.npmrc', '.pypirc', '.vault-token', '.pgpass', '.my.cnf', '.mylogin.cnf'],
  ...['.s3cfg', '.boto', '.databrickscfg', '.authinfo', '.msmtprc', '.Xauthority', '.bash_history', '.zsh_history'],
]);

/** Folders in which every tool has one of its own: programs, settings, data and credentials. */
export const SHARED: readonly string[] = ['.local/share', '.local/state', '.local', '.config', '.cache'];

/** Tools that are known to keep credentials or what a person wrote to others in their folder there. */
const HOLDERS: ReadonlySet<string> = new Set([
  ...['gh', 'glab-cli', 'hub', 'git', 'gcloud', 'doctl', 'heroku', 'netlify', 'vercel', 'com.vercel.cli', 'stripe'],
  ...['.wrangler', 'hcloud', 'linode-cli', 'scw', 'rclone', 'helm', 'argocd', 'containers', 'sops', 'age', 'azure'],
  ...['op', '1Password', 'Bitwarden', 'Bitwarden CLI', 'keepassxc', 'keybase', 'gopass', 'password-store', 'gnupg'],
  ...['keyrings', 'kwalletd', 'google-chrome', 'chromium', 'BraveSoftware', 'microsoft-edge', 'mozilla', 'vivaldi'],
  ...['Signal', 'signal-cli', 'Slack', 'discord', 'evolution', 'geary', 'aerc', 'himalaya', 'Code', 'configstore'],
  ...['pip', 'pnpm', 'uv', 'huggingface', 'ngrok', 'cloudflared', 'atuin', 'fish', 'systemd', 'Trash'],
]);

/** Of a path relative to the home: nothing of it is ever brought along. */
export function isSecret(path: string): boolean {
  if (path === '' || path.split(sep)[0] === '..' || path.split(sep).some((name) => PRIVATE.has(name))) return true;
  const [name] = toolOf(path) ?? [];
  return SHARED.includes(path) || (name !== undefined && HOLDERS.has(name));
}

/** For a path in a folder that tools share: the tool's name, and the rest of the path below the tool's own folder. */
export function toolOf(path: string): readonly [name: string, ...rest: string[]] | undefined {
  const folder = SHARED.find((one) => isBelow(path, one));
  if (folder === undefined) return undefined;
  return relative(folder, path).split(sep) as [string, ...string[]];
}

/** What is never copied: private folders and all of those that tools share. Where a link leads counts, not where it is. */
export function isPrivate(path: string, home: string): boolean {
  const real = realOf(path);
  if (real === home || isBelow(home, real)) return true;
  const within = relative(home, real);
  return isBelow(real, home) && (isSecret(within) || toolOf(within) !== undefined);
}

/** As paths relative to the home: itself, and where its links lead. `undefined` when it is not below the home, or leads to the home or
 *  above it. */
export function placesBelow(path: string, home: string): readonly string[] | undefined {
  const own = resolve(path);
  const real = realOf(own);
  if (!isBelow(own, home) || real === home || isBelow(home, real)) return undefined;
  return [own, real].filter((one) => isBelow(one, home)).map((one) => relative(home, one));
}

export function isBelow(path: string, folder: string): boolean {
  return path.startsWith(folder.endsWith(sep) ? folder : `${folder}${sep}`);
}

export function isIn(path: string, folder: string): boolean {
  return path === folder || isBelow(path, folder);
}

export function shortened(file: string, home: string, project: string): string {
  if (isBelow(file, project)) return relative(project, file);
  return isBelow(file, home) ? `~/${relative(home, file)}` : file;
}

/** The real path, or the path itself where nothing is. */
export function realOf(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}

/** `undefined` where nothing can be read. */
export function statOf(path: string): Stats | undefined {
  try {
    return statSync(path, { throwIfNoEntry: false });
  } catch {
    return undefined;
  }
}

/** What is in a folder; nothing where it cannot be read. */
export function entriesOf(folder: string): readonly Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    return [];
  }
}

/** The folder itself first. */
export function foldersAbove(folder: string): readonly string[] {
  const above = dirname(folder);
  return above === folder ? [folder] : [folder, ...foldersAbove(above)];
}
