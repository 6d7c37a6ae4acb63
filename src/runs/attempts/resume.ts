// Whether an attempt goes on in the session of the attempt before it, or begins a new one. A session has the prompt, the files it
// read and what was tried, and a service has most of it in its cache. It is left where it would do harm: where another agent
// worked in between, where the work tree is not the one it knows, and where the agent was caught in it (a loop, a hang).
// Pure; attempts/session.ts acts on what is decided here.

import { detectTaskLoop } from '../../context/handover/fingerprint.ts';
import type { AgentResult, ErrorClass } from '../../kernel/agent.ts';
import type { AttemptRecord } from '../../kernel/attempt.ts';
import type { ProcessEnd } from '../../kernel/process.ts';
import type { LastSession } from '../../kernel/task.ts';
import { isSessionId } from '../agent-output/session-id.ts';
import { isUnmerged } from '../task-machine.ts';

export interface ResumeFacts {
  /** The agent of the next attempt. */
  readonly agent: string;
  /** Its data says how. */
  readonly canResume: boolean;
  /** `run.holdout`: with a control group, both groups begin new sessions, so that only the hand-over differs. */
  readonly holdout: number;
  /** Without one there is nothing to say in a session that has the rest. */
  readonly hasHandover: boolean;
  /** As they are now. */
  readonly cwd: string;
  readonly start: string;
  readonly program: string;
  /** As they were in the last attempt; absent when its agent named no session or did not answer in it. */
  readonly last: LastSession | undefined;
}

export type ResumeChoice =
  | { readonly kind: 'resume'; readonly session: string }
  | { readonly kind: 'new'; readonly because: NewSessionReason };

export type NewSessionReason =
  | 'first attempt'
  | 'other agent'
  | 'agent cannot resume'
  | 'control group'
  | 'no hand-over'
  | 'loop'
  | 'hang'
  | 'agent failed'
  | 'resumed twice'
  | 'unknown session'
  | 'imported'
  | 'other files'
  | 'other folder'
  | 'other version';

/** Longer sessions cost more with each turn and hold on to what did not work. */
const MOST_IN_A_ROW = 2;

/** `attempts` are the open ones by number. */
export function mayResume(attempts: readonly AttemptRecord[], facts: ResumeFacts): ResumeChoice {
  const because = reasonAgainst(attempts, facts);
  const session = attempts.at(-1)?.session ?? '';
  return because === undefined ? { kind: 'resume', session } : { kind: 'new', because };
}

function reasonAgainst(attempts: readonly AttemptRecord[], facts: ResumeFacts): NewSessionReason | undefined {
  const last = attempts.at(-1);
  if (last === undefined) return 'first attempt';
  if (last.provider !== facts.agent) return 'other agent';
  if (!facts.canResume) return 'agent cannot resume';
  if (facts.holdout > 0) return 'control group';
  if (!facts.hasHandover) return 'no hand-over';
  if (detectTaskLoop(attempts)) return 'loop';
  if (isHang(last)) return 'hang';
  if (last.exitReason === 'execution_error' || last.exitReason === 'timeout') return 'agent failed';
  // A file that somebody made must not choose which of the person's sessions is opened.
  if (last.imported === true) return 'imported';
  if (!isKnown(last, facts.last)) return 'unknown session';
  const resumed = attempts.slice(-MOST_IN_A_ROW).filter((attempt) => attempt.isResumed === true);
  if (resumed.length === MOST_IN_A_ROW) return 'resumed twice';
  return differenceOf(last, facts);
}

function isHang({ exitClass }: AttemptRecord): boolean {
  return exitClass === 'silence' || exitClass === 'hang';
}

function isKnown({ session, attemptNumber }: AttemptRecord, known: LastSession | undefined): boolean {
  return session !== undefined && isSessionId(session) && known?.attempt === attemptNumber;
}

function differenceOf(attempt: AttemptRecord, { last, ...now }: ResumeFacts): NewSessionReason | undefined {
  if (isUnmerged(attempt) || last?.start !== now.start) return 'other files';
  if (last.cwd !== now.cwd) return 'other folder';
  return now.program === '' || last.program !== now.program ? 'other version' : undefined;
}

/** Failures that another session may not have. A service that refuses or cannot be reached refuses the next session too. */
const OF_THE_SESSION: readonly ErrorClass[] = ['setup', 'crash', 'other', 'context'];

/** Whether a run that should have resumed a session must be made again in a new one. `session` is the one it named itself. */
export function needsNewSession(ran: {
  readonly end: Pick<ProcessEnd, 'endedBy'>;
  readonly result: AgentResult;
  readonly session?: string | undefined;
  /** It reported that there is no such session. */
  readonly isGone: boolean;
}): boolean {
  const { end, result, session, isGone } = ran;
  if (end.endedBy !== undefined || result.answer !== '') return false;
  // One asked a question that nobody could answer, and ended with 0.
  if (result.kind === 'answered') return session === undefined;
  if (!OF_THE_SESSION.includes(result.class)) return false;
  return isGone || session === undefined || result.class === 'context';
}
