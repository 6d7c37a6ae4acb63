// What agents write down themselves, and how it is read.

export { TRANSCRIPTS } from './formats.ts';
export { type OpenOptions, openTranscript } from './open.ts';
