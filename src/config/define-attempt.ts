// An attempt written in code, for a loop of one's own: what hand-overs are made from. Only the agent's name has no default.

import type { AttemptRecord, ExitReason } from '../kernel/attempt.ts';
import { type Fault, ForewordError } from '../kernel/errors.ts';
import { checkLine } from './schemas/records.ts';

/** An attempt as a program describes it. `status` is `failed` when a reason, a class or an error is there. */
export interface AttemptInput
  extends Partial<
    Pick<
      AttemptRecord,
      | 'attemptNumber'
      | 'timestamp'
      | 'files_created'
      | 'files_updated'
      | 'files_deleted'
      | 'status'
      | 'validationErrors'
      | 'exitReason'
      | 'exitClass'
      | 'exitMessage'
      | 'durationMs'
    >
  > {
  /** The agent's name. */
  readonly provider: string;
}

/** Classes with which an agent says that it does not work now. */
const REFUSALS = ['quota', 'rate_limit', 'overload', 'auth', 'setup'];
const KNOWN = new Set<string>([
  'attemptNumber',
  'provider',
  'timestamp',
  'files_created',
  'files_updated',
  'files_deleted',
  'status',
  'validationErrors',
  'exitReason',
  'exitClass',
  'exitMessage',
  'durationMs',
] satisfies (keyof AttemptInput)[]);

/** A complete attempt. Throws `bad-input` with every fault. */
export function defineAttempt(input: AttemptInput): AttemptRecord {
  const given: Partial<AttemptInput> = typeof input === 'object' && input !== null ? input : {};
  const status = given.status ?? (isFailed(given) ? 'failed' : 'completed');
  const exitReason = given.exitReason ?? (status === 'failed' ? reasonOf(given) : undefined);
  const record = {
    attemptNumber: 1,
    timestamp: new Date().toISOString(),
    files_created: [],
    files_updated: [],
    files_deleted: [],
    validationErrors: [],
    durationMs: 0,
    ...given,
    status,
    ...(exitReason === undefined ? {} : { exitReason }),
  };
  const faults = faultsOf(record);
  if (faults.length > 0) {
    const lines = faults.map(({ path, message }) => `${path}: ${message}`);
    throw new ForewordError('bad-input', `This attempt cannot be used. ${lines.join(' ')}`, { faults });
  }
  return record as AttemptRecord;
}

function isFailed({ exitReason, exitClass, validationErrors = [] }: Partial<AttemptInput>): boolean {
  return exitReason !== undefined || exitClass !== undefined || validationErrors.length > 0;
}

function reasonOf({ exitClass, validationErrors = [] }: Partial<AttemptInput>): ExitReason {
  if (exitClass === undefined && validationErrors.length > 0) return 'validation_failure';
  return exitClass !== undefined && REFUSALS.includes(exitClass) ? 'circuit_breaker' : 'execution_error';
}

function faultsOf(record: Readonly<Record<string, unknown>>): readonly Fault[] {
  const faults: Fault[] = [];
  const report = (path: string, message: string): void => void faults.push({ where: 'attempt', path, message });
  if (record.provider === undefined || record.provider === '')
    report('provider', 'Missing; give the name of the agent.');
  else
    checkLine({ kind: 'attempt', task: 'attempt', record }, (path, message) =>
      report(path.slice('record.'.length), message),
    );
  for (const key of Object.keys(record)) if (!KNOWN.has(key)) report(key, `Unknown key "${key}".`);
  return faults;
}
