import type { LabCall, LabPlace } from '../../kernel/agent-lab.ts';
import type { RecordingFacts } from '../../kernel/agent-recording.ts';

export const recording: RecordingFacts = {
  ready: /stub-model default · /,
  dialog: /Would you like to/,
  conversation: { marks: ['• ', '  ', '  • ', '› '], own: 1, hasFaintMarks: true },
  interrupt: ['\x1b'],
  queue: '\t',
  command: (command) => outside({ cmd: command }),
  edit: ({ input }) => outside(input),
  acts: {
    plan: {
      scene: 'asked',
      asks: ['approval'],
      sizes: 2,
      leads: {
        keys: ['/plan', '\r'],
        says: '<proposed_plan>\n1. Read the parser\n2. Fix it\n</proposed_plan>\n',
        to: /Implement this plan/,
      },
    },
    question: {
      scene: 'asked',
      asks: ['approval'],
      sizes: 2,
      leads: {
        keys: ['/plan', '\r'],
        calls: [
          {
            tool: 'request_user_input',
            input: {
              questions: [
                {
                  id: 'colour',
                  header: 'Colour',
                  question: 'Which colour?',
                  options: [
                    { label: 'Red', description: 'Warm' },
                    { label: 'Blue', description: 'Cold' },
                  ],
                },
              ],
            },
          },
        ],
        to: /Which colour/,
      },
    },
    'own-status': {
      scene: 'other',
      asks: ['approval'],
      sizes: 1,
      files: ({ home }, read) => {
        const file = `${home}/.codex/config.toml`;
        return { [file]: `${read(file)}\n[tui]\nstatus_line = ["model-with-reasoning", "context-remaining"]\n` };
      },
    },
    'command-no-title': { scene: 'command', asks: [], sizes: 1, files: withoutTitle },
    'waiting-no-title': { scene: 'waiting', asks: ['approval'], sizes: 2, files: withoutTitle },
    'compaction-no-title': { scene: 'compaction', asks: [], sizes: 1, isSlow: true, files: withoutTitle },
  },
  next: { login: [['3', 'login-key']], hooks: [['1', 'hooks-review']] },
};

/** In its sandbox it asks nothing. */
function outside(input: LabCall['input']): LabCall {
  return {
    tool: 'exec_command',
    input: { ...input, sandbox_permissions: 'require_escalated', justification: 'to see' },
  };
}

function withoutTitle(
  { home }: Pick<LabPlace, 'home'>,
  read: (path: string) => string,
): Readonly<Record<string, string>> {
  const file = `${home}/.codex/config.toml`;
  return { [file]: `${read(file)}\n[tui]\nterminal_title = []\n` };
}
