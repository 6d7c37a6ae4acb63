import type { RecordingFacts } from '../../kernel/agent-recording.ts';

export const recording: RecordingFacts = {
  ready: /\/ commands/,
  dialog: /Do you want to/,
  // Its Escape is that of the extended keyboard protocol; a plain one is taken for the start of a sequence.
  interrupt: ['\x1b[27u', '\x1b[27u'],
};
