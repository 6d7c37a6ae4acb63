import { arrivalWords } from '../../verify/arrival.ts';
import { type Measurement, TRIED, TRIED_TITLES } from '../../verify/measurement.ts';
import { columns } from '../columns.ts';
import type { Command } from '../command.ts';
import { withProject } from '../with-project.ts';

export const doctor: Command = {
  name: 'doctor',
  summary:
    'Say what is there and what is not: agents, hooks, what verify found, store, sandbox, terminals, trust, settings',
  args: [],
  flags: { settings: { meaning: 'list every setting with its value and where it came from' } },
  examples: [{ line: 'foreword doctor', does: 'each line that needs something says what' }],
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
            ? 'none yet; the first command that has something to keep makes .foreword/foreword.db'
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
          ? [['node of hooks', found.hookNode ?? 'none: they say nothing']]
          : []),
        ...found.measured.map((one) => [`verified ${one.agent}`, measuredLine(one)]),
        [
          'trust',
          project.trust.isAgreed
            ? 'nothing waits for your agreement'
            : `ignored until foreword trust: ${Object.keys(project.trust.parts).join(', ')}`,
        ],
      ];
      call.out.print(columns(['what', 'found'], rows));
      for (const problem of found.problems) call.out.print(`! ${problem}`);
      if (call.has('settings')) {
        const settings = Object.entries(project.origins()).map(([name, { value, from }]) => [
          name,
          from,
          JSON.stringify(value) ?? 'not set',
        ]);
        call.out.print(`\n${columns(['setting', 'from', 'value'], settings)}`);
      }
      return found.problems.length === 0 ? 0 : 3;
    }),
};

/** `2.1.325 on 2026-11-15: 6 served, 1 not offered`; what is worse than served comes by name. */
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
  return `${version} on ${at.slice(0, 10)}: ${found}${isStale ? `; stale: another version is installed, foreword verify ${agent} tries it` : ''}`;
}
