// Export and import of a store, and of the work of its runs, loaded only by the commands that do it.

import type { Stores } from '../kernel/stores.ts';
import type { Imported, ImportHow } from '../stores/transfer.ts';
import type { Project } from './project.ts';

/** Everything in a store, as the values of JSON lines; secrets that became known since are taken out. */
export async function* exportLines(stores: Stores, redact: (text: string) => string): AsyncIterable<unknown> {
  const { exportRedacted } = await import('../stores/transfer.ts');
  yield* exportRedacted(stores, redact);
}

/** The same with the commits of the runs, as one file. */
export async function exportWork(project: Project, file: string) {
  const { exportText } = await import('../stores/transfer.ts');
  const { writeWork } = await import('../runs/transfer/export-work.ts');
  const { sourceOf } = await import('./review.ts');
  const { root, clock, redact } = project;
  const all = await exportText(await project.readStores(), redact);
  return writeWork(file, { ...all, root, now: clock.now(), source: sourceOf(project) });
}

export interface ImportInto extends Pick<ImportHow, 'onRead' | 'onWrite' | 'takeWork'> {
  readonly stores: () => Promise<Stores>;
  /** The name of the file for the person. */
  readonly where: string;
  readonly now: number;
  readonly redact: (text: string) => string;
}

/** Adds what the store lacks. The text is checked whole before the store is opened. */
export async function importLines(text: string | AsyncIterable<string>, into: ImportInto): Promise<Imported> {
  const { importLines: take } = await import('../stores/transfer.ts');
  const { checkLine } = await import('../config/schemas/records.ts');
  const { importableAt } = await import('../stores/importable.ts');
  return take(text, into.stores, { ...into, check: checkLine, accept: importableAt(into.now) });
}

/** The same from a work file; `runs` are those that go on here. */
export async function importWork(project: Project, file: string, into: ImportInto) {
  const { openWork } = await import('../runs/transfer/import-work.ts');
  const { sourceOf } = await import('./review.ts');
  const work = await openWork(file, { root: project.root, where: into.where, source: sourceOf(project) });
  const done = await importLines(work.text(), { ...into, takeWork: work.take }).finally(work.close);
  return { ...done, runs: await work.publish() };
}

/** The same from the file of an old store, which is copied and only then looked at. Records that are not valid are left out. */
export async function importStoreFile(path: string, into: ImportInto): Promise<Imported> {
  const { importRecords } = await import('../stores/transfer.ts');
  const { readStoreFile } = await import('../stores/sqlite/import-file.ts');
  const { checkLine } = await import('../config/schemas/records.ts');
  const { importableAt } = await import('../stores/importable.ts');
  const read = readStoreFile(path, { ...into, check: checkLine });
  const done = await importRecords(read.lines, into.stores, { ...into, accept: importableAt(into.now) });
  return { ...done, leftOut: { ...read.leftOut, ...done.leftOut } };
}
