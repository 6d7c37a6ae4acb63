import type { RecordingFacts } from '../../kernel/agent-recording.ts';

export const recording: RecordingFacts = {
  ready: /Type your message/,
  dialog: /Apply this change|Allow execution|Do you want to/,
  conversation: { marks: ['  ◆︎ ', '    ', '  > '], own: 1 },
  compact: '/compress',
  question: {
    call: {
      tool: 'ask_user_question',
      input: {
        questions: [
          {
            question: 'Which colour?',
            header: 'Colour',
            multiSelect: false,
            options: [
              { label: 'Red', description: 'Warm' },
              { label: 'Blue', description: 'Cold' },
            ],
          },
        ],
      },
    },
  },
  interrupt: ['\x1b'],
  next: { login: [['\x1b[B\x1b[B\r', 'login-custom']] },
  acts: {
    plan: {
      scene: 'asked',
      asks: ['approval'],
      sizes: 2,
      leads: {
        keys: ['/plan', '\r'],
        calls: [{ tool: 'exit_plan_mode', input: { plan: '1. Read the parser\n2. Fix it' } }],
        to: /Would you like to proceed|approve/i,
      },
    },
    suggestion: {
      scene: 'suggestion',
      asks: ['approval'],
      sizes: 2,
      // The recipe turns it off.
      files: ({ home }, read) => {
        const path = `${home}/.qwen/settings.json`;
        const settings = JSON.parse(read(path));
        settings.ui.enableFollowupSuggestions = true;
        return { [path]: JSON.stringify(settings) };
      },
      suggestion: 'run the linter as well',
    },
  },
};
