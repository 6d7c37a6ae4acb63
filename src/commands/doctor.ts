import { columns } from '../cli/columns.ts';
import type { Command } from '../cli/command.ts';
import { withProject } from '../cli/with-project.ts';

export const doctor: Command = {
  name: 'doctor',
  summary: 'Say what is there and what is not: agents, hooks, store, sandbox, terminals, trust, settings',
  args: [],
  flags: { settings: { meaning: 'list every setting with its value and where it came from' } },
  examples: [{ line: 'foreword doctor', does: 'each line that needs something says what' }],
  run: (call) =>
    withProject(call, async (project) => {
      const { examine } = await import('../wire-doctor.ts');
      const found = await examine(project);
      if (call.has('json')) {
        call.out.json({ ...found, settings: project.origins() });
        return found.problems.length === 0 ? 0 : 3;
      }
      const rows = [
        ['project', project.root],
        ['store', `${found.store.kind}, ${found.store.level}: ${found.store.detail}`],
        ['sandbox', found.sandbox],
        ['terminal', found.terminal],
        ['tmux', found.tmux],
        ...(found.agents.length === 0 ? [['agents', 'none installed']] : []),
        ...found.agents.map((name) => [name, found.versions[name] ?? 'unknown']),
        ...found.hooks.flatMap((one) => {
          const isShown = one.state !== 'absent' || found.agents.includes(one.agent);
          const trust = one.trust === undefined ? '' : `, ${one.trust}`;
          return isShown
            ? [[`hooks of ${one.agent}`, `${one.state}${trust}${one.state === 'absent' ? '' : `: ${one.file}`}`]]
            : [];
        }),
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
