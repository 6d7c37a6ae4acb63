import { trustReport } from '../../reports/trust-report.ts';
import type { Command } from '../command.ts';
import { inProject } from '../in-project.ts';
import { isAgreed as isAgreedTo } from '../keys.ts';

export const trust: Command = {
  name: 'trust',
  summary: 'Show the programs that this repository wants to run, and ask whether to allow them',
  args: [],
  flags: { yes: { description: 'agree without a question; needs a terminal' } },
  examples: [
    {
      line: 'foreword trust',
      does: 'shows the agents, lineup, helper and sandbox settings of .foreword/config.yaml and the files that they name, and asks',
    },
  ],
  run: (call) =>
    inProject(call, async (project) => {
      const { parts, isAgreed, named } = project.trust;
      const keys = Object.keys(parts);
      const files = named.files.map(({ path, hash }) => ({ path, hash }));
      if (call.has('json')) call.out.json({ needs: parts, files, faults: named.faults, agreed: isAgreed });
      if (keys.length === 0) {
        if (!call.has('json'))
          call.out.print('The configuration of this repository has nothing that needs your trust.');
        return 0;
      }
      if (isAgreed) {
        if (!call.has('json')) call.out.print('You agreed to this configuration; it has not changed since.');
        return 0;
      }
      if (!call.has('json')) call.out.print(trustReport(project.trust));
      if (named.faults.length > 0) {
        call.out.note('foreword: nobody can agree to these settings as they are; they stay ignored.');
        return 1;
      }
      if (!process.stdin.isTTY || !process.stdout.isTTY) {
        call.out.note(
          'foreword: these settings stay ignored: stdin or stdout is not a TTY. Run foreword trust in a terminal.',
        );
        return 1;
      }
      const isYes = call.has('yes') || (await isAgreedTo('\nUse it from now on, until it changes?'));
      if (!isYes) return 1;
      project.trust.agree();
      call.out.print('Agreed. foreword asks again when these settings or files change.');
      return 0;
    }),
};
