import type { RecordingFacts } from '../../kernel/agent-recording.ts';

export const recording: RecordingFacts = {
  ready: /\/ commands/,
  dialog: /Do you want to/,
  conversation: { marks: [' ● ', '   ', '  ❯ '], own: 2 },
  question: {
    call: {
      tool: 'ask_user',
      input: {
        message: 'Which colour?',
        requestedSchema: {
          type: 'object',
          properties: { colour: { type: 'string', title: 'Colour', enum: ['Red', 'Blue'] } },
          required: ['colour'],
        },
      },
    },
    own: ['\x1b[B', '\x1b[B'],
  },
  // Its Escape is that of the extended keyboard protocol; a plain one is taken for the start of a sequence.
  interrupt: ['\x1b[27u', '\x1b[27u'],
  acts: {
    plan: {
      scene: 'asked',
      asks: ['approval'],
      sizes: 2,
      leads: {
        keys: ['\x1b[Z'],
        calls: [
          {
            tool: 'exit_plan_mode',
            input: {
              summary: '1. Read the parser',
              actions: ['interactive', 'autopilot'],
              recommendedAction: 'interactive',
            },
          },
        ],
        to: /Accept plan|approve|Plan ready/i,
      },
    },
  },
};
