import type { RecordingFacts } from '../../kernel/agent-recording.ts';

export const recording: RecordingFacts = {
  ready: /Type your message/,
  dialog: /Apply this change|Allow execution/,
  interrupt: ['\x1b'],
  next: {
    login: [
      ['\x1b[B', 'login-second'],
      ['\r', 'login-key'],
    ],
  },
};
