import type { RecordingFacts } from '../../kernel/agent-recording.ts';

export const recording: RecordingFacts = {
  menu: '/models',
  ready: /Ask anything/,
  dialog: /Permission required/,
  conversation: { marks: ['     ', '  ┃  '], own: 2 },
  question: {
    call: {
      tool: 'question',
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
  resume: '/sessions',
  acts: {
    // Beside the conversation it shows the folder, over several lines when that is long.
    wide: {
      scene: 'other',
      asks: ['approval'],
      onlySizes: ['160x40'],
      folder: 'a-folder-with-a-long-name/below-another-one-of-that-kind',
    },
  },
  interrupt: ['\x1b', '\x1b'],
};
