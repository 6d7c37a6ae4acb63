import type { RecordingFacts } from '../../kernel/agent-recording.ts';

export const recording: RecordingFacts = { ready: /stub-model$/m, asksNothing: true, interrupt: ['\x1b'] };
