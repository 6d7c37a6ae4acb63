// The first part of a work file: which project it is of. Written by export-work.ts, checked by import-work.ts. Pure.

export const WORK_FORMAT = 1;

/** The parts of the file, in this order. The bundle is missing when no run has a commit. */
export const WORK_PARTS = { manifest: 'foreword-work.json', records: 'records.jsonl', bundle: 'work.bundle' } as const;

export interface WorkManifest {
  readonly foreword_work: typeof WORK_FORMAT;
  /** ISO time. */
  readonly made_at: string;
  /** Absent without git. */
  readonly repository?: WorkRepository;
}

export interface WorkRepository {
  /** From the top of the repository to the project; empty when they are the same. */
  readonly prefix: string;
  /** Empty when they are not known: a shallow clone, or no commit yet. */
  readonly root_commits: readonly string[];
}

/** What is wrong with it for a project that is `here`, as a phrase. */
export type ManifestFault = { readonly because: string; readonly hint: string };

export function manifestText(manifest: WorkManifest): string {
  return `${JSON.stringify(manifest, null, 2)}\n`;
}

export function manifestFault(text: string, here: WorkRepository | undefined): ManifestFault | undefined {
  const value = parse(text);
  if (value === undefined) return { because: `its ${WORK_PARTS.manifest} is not valid`, hint: WRITE_AGAIN };
  const { foreword_work: format, repository: there } = value;
  if (format !== WORK_FORMAT) {
    const isNewer = typeof format === 'number' && format > WORK_FORMAT;
    const hint = isNewer ? 'Update foreword here.' : WRITE_AGAIN;
    return {
      because: `its format is ${JSON.stringify(format)?.slice(0, 40)}, and this version reads ${WORK_FORMAT}`,
      hint,
    };
  }
  if (there === undefined && here === undefined) return undefined;
  if (there === undefined || here === undefined) {
    const [one, other] = there === undefined ? ['without', 'in'] : ['in', 'without'];
    return { because: `it was made ${one} a git repository, and this project is ${other} one`, hint: ELSEWHERE };
  }
  if (!isRepository(there)) return { because: `its ${WORK_PARTS.manifest} is not valid`, hint: WRITE_AGAIN };
  if (there.prefix !== here.prefix) {
    const because = `it is of the folder ${shown(there.prefix)} of a repository, and this is ${shown(here.prefix)}`;
    return { because, hint: 'Import it in that folder.' };
  }
  const areKnown = there.root_commits.length > 0 && here.root_commits.length > 0;
  const isSame = there.root_commits.some((commit) => here.root_commits.includes(commit));
  if (!areKnown || isSame) return undefined;
  const [first = ''] = there.root_commits;
  return { because: `it is of another project, whose history begins at ${first.slice(0, 12)}`, hint: ELSEWHERE };
}

const WRITE_AGAIN = 'Write it again: foreword export --work FILE.';
const ELSEWHERE = 'Import it in a clone of its own project.';

function parse(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : undefined;
  } catch {
    return undefined;
  }
}

function isRepository(value: unknown): value is WorkRepository {
  const { prefix, root_commits: roots } = (value ?? {}) as Partial<Record<keyof WorkRepository, unknown>>;
  return typeof prefix === 'string' && Array.isArray(roots) && roots.every((root) => typeof root === 'string');
}

function shown(prefix: string): string {
  return prefix === '' ? 'the top' : JSON.stringify(prefix).slice(0, 80);
}
