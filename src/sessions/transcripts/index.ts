// What agents write down themselves, and how it is read.

export { TRANSCRIPTS } from '../../agents/transcripts.ts';
export { type OpenOptions, openTranscript } from './open.ts';
