import { createInterface } from 'node:readline/promises';
import { lineDifference } from '../../install/line-difference.ts';
import type { Command } from '../command.ts';
import { withProject } from '../with-project.ts';

export const trust: Command = {
  name: 'trust',
  summary: 'Show what this repository wants to run, and agree to it or not',
  args: [],
  flags: { yes: { meaning: 'agree without being asked, on a terminal' } },
  examples: [
    {
      line: 'foreword trust',
      does: 'shows agents, lineup, helper and sandbox settings of .foreword/config.yaml and asks',
    },
  ],
  run: (call) =>
    withProject(call, async (project) => {
      const { parts, isAgreed, before, text } = project.trust;
      const keys = Object.keys(parts);
      if (call.has('json')) call.out.json({ needs: parts, agreed: isAgreed });
      if (keys.length === 0) {
        if (!call.has('json')) call.out.print('The configuration of this repository brings nothing that needs trust.');
        return 0;
      }
      if (isAgreed) {
        if (!call.has('json')) call.out.print('You agreed to what this repository brings; nothing changed since.');
        return 0;
      }
      if (!call.has('json')) {
        call.out.print('.foreword/config.yaml of this repository brings what would run programs on your machine:\n');
        call.out.print(before === undefined ? text : lineDifference(before, text));
      }
      if (!process.stdin.isTTY || !process.stdout.isTTY) {
        call.out.note('foreword: it stays ignored: agreeing needs a terminal and a person.');
        return 1;
      }
      const isYes = call.has('yes') || (await ask('\nUse it from now on, until it changes? [y/N] '));
      if (!isYes) return 1;
      project.trust.agree();
      call.out.print('Agreed. A changed byte asks again.');
      return 0;
    }),
};

async function ask(question: string): Promise<boolean> {
  const lines = createInterface({ input: process.stdin, output: process.stdout });
  try {
    return /^y(es)?$/i.test((await lines.question(question)).trim());
  } finally {
    lines.close();
  }
}
