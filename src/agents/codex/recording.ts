import type { LabCall } from '../../kernel/agent-lab.ts';
import type { RecordingFacts } from '../../kernel/agent-recording.ts';

export const recording: RecordingFacts = {
  ready: /stub-model default · /,
  dialog: /Would you like to/,
  interrupt: ['\x1b'],
  queue: '\t',
  command: (command) => outside({ cmd: command }),
  edit: ({ input }) => outside(input),
  next: { login: [['3', 'login-key']], hooks: [['1', 'hooks-review']] },
};

/** In its sandbox it asks nothing. */
function outside(input: LabCall['input']): LabCall {
  return {
    tool: 'exec_command',
    input: { ...input, sandbox_permissions: 'require_escalated', justification: 'to see' },
  };
}
