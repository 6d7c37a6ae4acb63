// What is known of the state of projects, and how it reads. Pure; gone-projects.ts and state-finding.ts look.

/** `not mounted`: nothing is at its path, but the disk that it was on does not seem to be there either. */
export type ProjectFate = 'there' | 'missing' | 'replaced' | 'not mounted' | 'damaged';

/** The state of a project that is not where it was. */
export interface GoneState {
  readonly id: string;
  /** Where the project was; absent when its record is damaged. */
  readonly root?: string;
  readonly fate: Exclude<ProjectFate, 'there'>;
  readonly folder: string;
  readonly bytes: number;
}

export interface StateFinding {
  /** Where the state of this project lies; absent when no command wrote anything yet. */
  readonly folder?: string;
  /** Why its `.git` does not count. */
  readonly doubt?: string;
  /** A store in the repository, which is not read. */
  readonly oldStore?: string;
  readonly gone: readonly GoneState[];
}

const FATES = {
  missing: 'is gone',
  replaced: 'is another project now',
  'not mounted': 'is not there, and its disk seems not to be mounted',
  damaged: 'project.json is damaged',
} as const;

/** `clean --gone` removes it. */
export function isRemovable({ fate }: GoneState): boolean {
  return fate === 'missing' || fate === 'replaced';
}

/** `/home/me/shop is gone (p0123456789abcdef, 1.2 MB in …)`. */
export function goneText({ id, root, fate, folder, bytes }: GoneState): string {
  const what = root === undefined ? FATES[fate] : `${root} ${FATES[fate]}`;
  return `${what} (${id}, ${sizeText(bytes)} in ${folder})`;
}

export function sizeText(bytes: number): string {
  if (bytes < 1000) return `${bytes} bytes`;
  return bytes < 1_000_000 ? `${(bytes / 1000).toFixed(1)} kB` : `${(bytes / 1_000_000).toFixed(1)} MB`;
}
