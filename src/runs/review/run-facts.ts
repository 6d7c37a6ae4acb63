// What our repository and the person's have of runs, sorted by run.

import type { RunRecord } from '../../kernel/run.ts';
import { readHead } from '../../system/git/head.ts';
import { type CheckoutSource, hasRepository, listPublished, refsOf } from '../checkouts/index.ts';
import type { AttemptRef, LeftoverFacts, RefOf, RunFacts } from './leftovers.ts';

const OURS = 'refs/foreword/';
const BRANCHES = 'refs/heads/foreword/';

export async function readRunFacts(
  source: CheckoutSource,
  records: readonly RunRecord[],
): Promise<Pick<LeftoverFacts, 'runs' | 'refName'>> {
  const ours = await ownRefs(source);
  const theirs = hasRepository(source) ? await publishedRefs(source) : [];
  const byName = new Map(records.map((run) => [refsOf(run.id).base.split('/')[2] ?? '', run]));
  const names = new Set([...ours, ...theirs].map(({ ref }) => nameIn(ref)));
  const runs = [...names].sort().map((name): RunFacts => {
    const isOf = ({ ref }: { readonly ref: string }) => nameIn(ref) === name;
    const [mine, published] = [ours.filter(isOf), theirs.filter(isOf)];
    const branch = published.find(({ ref }) => ref.startsWith(BRANCHES));
    const attempts = mine.flatMap((each) => attemptOf(each) ?? []);
    const rest = mine.filter((each) => attemptOf(each) === undefined);
    const kept = published.filter(({ ref }) => ref.startsWith(OURS));
    return {
      id: byName.get(name)?.id ?? name,
      run: byName.get(name),
      attempts,
      own: [...rest.map(refOf('ours')), ...kept.map(refOf('theirs'))],
      branch: branch === undefined ? undefined : { ...branch, name: branch.ref.slice('refs/heads/'.length) },
    };
  });
  return { runs, refName: (run, task) => refsOf(run).task(task).split('/').at(-1) ?? '' };
}

function nameIn(ref: string): string {
  return ref.slice(ref.startsWith(BRANCHES) ? BRANCHES.length : OURS.length).split('/')[0] ?? '';
}

function refOf(where: RefOf['where']) {
  return ({ ref, commit }: { readonly ref: string; readonly commit: string }): RefOf => ({ where, ref, commit });
}

interface OwnRef {
  readonly ref: string;
  readonly commit: string;
  readonly at: number;
}

async function ownRefs({ own }: CheckoutSource): Promise<readonly OwnRef[]> {
  const format = '--format=%(refname) %(objectname) %(committerdate:unix)';
  const lines = (await own.run(['for-each-ref', format, OURS])).toString('utf8').split('\n').filter(Boolean);
  return lines.map((line) => {
    const [ref = '', commit = '', seconds = '0'] = line.split(' ');
    return { ref, commit, at: Number(seconds) * 1000 };
  });
}

async function publishedRefs(source: CheckoutSource) {
  const { commit } = await readHead(source.theirs);
  return listPublished(source.own, source.theirs, commit);
}

function attemptOf({ ref, commit, at }: OwnRef): AttemptRef | undefined {
  const [, , , kind, task, number] = ref.split('/');
  return kind === 'tasks' && task !== undefined && number !== undefined ? { ref, commit, at, task, number } : undefined;
}
