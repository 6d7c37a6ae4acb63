import { arrivalWords } from '../../verify/arrival.ts';
import { type Measurement, TRIED, TRIED_TITLES } from '../../verify/measurement.ts';
import { columns } from '../columns.ts';
import type { Command } from '../command.ts';
import { withProject } from '../with-project.ts';

export const doctor: Command = {
  name: 'doctor',
  summary:
    'Check this machine and project: agents, hooks, results of verify, store, sandbox, terminals, trust, settings',
  args: [],
  flags: { settings: { description: 'list every setting with its value and its origin' } },
  examples: [{ line: 'foreword doctor', does: 'prints what it found, and for each problem how to fix it' }],
  run: (call) =>
    withProject(call, async (project) => {
      const { examineProject } = await import('../../app/doctor.ts');
      const found = await examineProject(project);
      if (call.has('json')) {
        call.out.json({ ...found, settings: project.origins() });
        return found.problems.length === 0 ? 0 : 3;
      }
      const rows = [
        ['project', project.root],
        [
          'store',
          found.store.kind === 'memory'
            ? 'none yet; the first command that stores something creates .foreword/foreword.db'
            : `${found.store.kind}, ${found.store.level}: ${found.store.detail}`,
        ],
        ['sandbox', found.sandbox],
        ['terminal', found.terminal],
        ['tmux', found.tmux],
        ...found.absences.map((sentence) => ['not on this system', sentence]),
        ...(found.agents.length === 0 ? [['agents', 'none installed']] : []),
        ...found.agents.map((name) => [name, found.versions[name] ?? 'unknown']),
        ...found.hooks.flatMap((one) => {
          const isShown = one.state !== 'absent' || found.agents.includes(one.agent);
          const trust = one.trust === undefined ? '' : `, ${one.trust}`;
          return isShown
            ? [[`hooks of ${one.agent}`, `${one.state}${trust}${one.state === 'absent' ? '' : `: ${one.file}`}`]]
            : [];
        }),
        ...(found.hooks.some((one) => one.state !== 'absent')
          ? [['node of hooks', found.hookNode ?? 'not found: the hooks do nothing']]
          : []),
        ...found.measured.map((one) => [`verified ${one.agent}`, measuredLine(one)]),
        [
          'trust',
          project.trust.isAgreed
            ? 'nothing to agree to'
            : `ignored until you run foreword trust: ${Object.keys(project.trust.parts).join(', ')}`,
        ],
      ];
      call.out.print(columns(['item', 'state'], rows));
      for (const problem of found.problems) call.out.print(`! ${problem}`);
      if (call.has('settings')) {
        const settings = Object.entries(project.origins()).map(([name, { value, from }]) => [
          name,
          from,
          JSON.stringify(value) ?? 'not set',
        ]);
        call.out.print(`\n${columns(['setting', 'origin', 'value'], settings)}`);
      }
      return found.problems.length === 0 ? 0 : 3;
    }),
};

/** `2.1.325 on 2026-11-15: 6 served, 1 not offered`; names each channel with a worse result than served. */
function measuredLine({ agent, version, at, arrivals, isStale }: Measurement & { readonly isStale: boolean }): string {
  const words = TRIED.flatMap((tried) => {
    const arrival = arrivals[tried];
    return arrival === undefined || arrival.kind === 'served' || arrival.kind === 'not offered'
      ? []
      : [`${TRIED_TITLES[tried]} ${arrivalWords(arrival)}`];
  });
  const count = (kind: string) => Object.values(arrivals).filter((one) => one.kind === kind).length;
  const missing = count('not offered') > 0 ? [`${count('not offered')} not offered`] : [];
  const found = [`${count('served')} served`, ...words, ...missing].join(', ');
  return `${version} on ${at.slice(0, 10)}: ${found}${isStale ? `; stale: another version is installed. Run foreword verify ${agent}` : ''}`;
}
