import type { RecordingFacts } from '../../kernel/agent-recording.ts';

export const recording: RecordingFacts = {
  ready: /\/ commands/,
  dialog: /Do you want to/,
  // Its Escape is the one of keyboards that tell keys apart; a plain one is taken for the start of a sequence.
  interrupt: ['\x1b[27u', '\x1b[27u'],
};
