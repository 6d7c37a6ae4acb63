import type { RecordingFacts } from '../../kernel/agent-recording.ts';

export const recording: RecordingFacts = {
  ready: /stub-model$/m,
  asksNothing: true,
  conversation: { marks: [' '], own: 1 },
  // It keeps the last 20,000 tokens as they are.
  compactsFrom: 4000,
  interrupt: ['\x1b'],
};
