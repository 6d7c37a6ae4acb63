import type { RecordingFacts } from '../../kernel/agent-recording.ts';

export const recording: RecordingFacts = {
  menu: '/models',
  ready: /Ask anything/,
  dialog: /Permission required/,
  interrupt: ['\x1b', '\x1b'],
};
