// Which uncommitted files of a person go into the snapshot that agents begin with (`run.base: working`). Pure;
// snapshot-working.ts acts on it.

export interface UncommittedFile {
  /** From the top of the work tree. */
  readonly path: string;
  /** HEAD or the index has it. */
  readonly isTracked: boolean;
  /** `gone`: deleted. `repository`: a folder with a repository of its own. */
  readonly kind: 'file' | 'link' | 'gone' | 'repository';
  readonly bytes: number;
}

export interface UntakenFile {
  readonly path: string;
  /** For a person, behind the path in brackets. */
  readonly reason: string;
}

export interface ChosenFiles<F extends UncommittedFile> {
  readonly taken: readonly F[];
  readonly untaken: readonly (UntakenFile & { readonly file: F })[];
}

const MIB = 1024 * 1024;
/** A new file of a person's work is smaller; what is larger is data, or was made by a program. A file that is tracked is part of
 *  the project at any size: a lock file may have more. */
const LARGEST_NEW = MIB;
const LARGEST_TOGETHER = 50 * MIB;

/** `look` reads a file and is asked only where its size allows it. Tracked files come first, so that new ones cannot crowd
 *  them out. */
export function chooseFiles<F extends UncommittedFile>(
  found: readonly F[],
  look: (file: F) => 'fine' | 'secret' | 'unreadable',
): ChosenFiles<F> {
  const taken: F[] = [];
  const untaken: (UntakenFile & { readonly file: F })[] = [];
  let together = 0;
  for (const file of [...found].sort((a, b) => Number(b.isTracked) - Number(a.isTracked))) {
    const reason = reasonAgainst(file, { together, look });
    if (reason === undefined) {
      taken.push(file);
      together += file.bytes;
    } else untaken.push({ path: file.path, reason, file });
  }
  return { taken, untaken };
}

function reasonAgainst<F extends UncommittedFile>(
  file: F,
  { together, look }: { readonly together: number; look(file: F): 'fine' | 'secret' | 'unreadable' },
): string | undefined {
  if (file.kind === 'gone' || file.kind === 'link') return undefined;
  if (file.kind === 'repository') return 'a repository of its own';
  if (!file.isTracked && file.bytes > LARGEST_NEW) return `${(file.bytes / MIB).toFixed(1)} MiB, over 1 MiB`;
  if (together + file.bytes > LARGEST_TOGETHER) return 'over 50 MiB together';
  switch (look(file)) {
    case 'secret':
      return 'holds a secret';
    case 'unreadable':
      return 'cannot be read';
    case 'fine':
      return undefined;
  }
}
