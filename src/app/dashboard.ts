// Joins `foreword dashboard` to what is real: the project's store, what hooks told, what verify found, and the built page.
// It only reads. A store that is a file is opened for reading alone, so that nothing is made, brought up to date, taken over
// or closed by looking; what other commands do on the way (fold what hooks told into the journal, close the books of a
// session that died) is left to them.

import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import type { KnownMeasurement, Records } from '../dashboard/records.ts';
import { type Backing, type DashboardServer, startServer } from '../dashboard/server.ts';
import { snapshotOf } from '../dashboard/snapshot.ts';
import { newestOf } from '../dashboard/tasks.ts';
import { type ComposedPrompt, deliveryText, promptText } from '../dashboard/text.ts';
import { watchSpool } from '../hooks/spool.ts';
import type { Agent } from '../kernel/agent.ts';
import { ForewordError } from '../kernel/errors.ts';
import type { ForewordEvent } from '../kernel/events.ts';
import { mapStrings } from '../kernel/map-strings.ts';
import type { Receipt } from '../kernel/receipt.ts';
import type { Log, Stores } from '../kernel/stores.ts';
import { metricsOf } from '../reports/metrics.ts';
import { renderPrometheus } from '../reports/prometheus.ts';
import { openToLook, type StoreChoice, storeIdentity } from '../stores/open.ts';
import { environment } from '../system/environment.ts';
import { stateFolder } from '../system/files/state-folder.ts';
import { findProgram } from '../system/processes/find-program.ts';
import { measurementOf, readResults } from '../verify/results.ts';
import type { Project } from './project.ts';
import { agentsOf } from './run.ts';
import { viewSessions } from './sessions.ts';

/** The records are read this often while somebody watches. */
const EVERY_MS = 1000;
/** A statement waits so long for a lock; readers seldom meet one. */
const PATIENCE_MS = 500;
const CHUNK = 2000;

export async function openDashboard(project: Project, options: { readonly port: number }): Promise<DashboardServer> {
  const folder = join(__dirname, '../dashboard');
  const read = (name: string): string => readFileSync(join(folder, name), 'utf8');
  const reader = openReader(project);
  try {
    const server = await startServer({
      port: options.port,
      token: randomBytes(32).toString('hex'),
      files: { html: read('page.html'), script: read('page.js'), style: read('page.css') },
      backing: backingOf(project, reader),
      everyMs: EVERY_MS,
    });
    return {
      ...server,
      close: async () => {
        await server.close();
        await reader.close();
      },
    };
  } catch (error) {
    await reader.close();
    throw error;
  }
}

function backingOf(project: Project, reader: Reader): Backing {
  const agents = agentsOf(project);
  const names = agents.map(({ name }) => name);
  return {
    shown: async () => snapshotOf(await recordsOf(project, reader, agents)),
    metrics: async () => {
      const { events } = await reader.read();
      return `${renderPrometheus(metricsOf(events, names)).trimEnd()}\n`;
    },
    delivery: async (id) => {
      const { stores } = await reader.read();
      const found = (await stores.deliveries.get(id))?.value;
      if (found === undefined) throw new ForewordError('unknown-session', 'There is no such delivery.');
      return deliveryText(found);
    },
    prompt: async (task, attempt) => {
      const { stores } = await reader.read();
      const found = await promptIn(stores, task, attempt);
      if (found === undefined) throw new ForewordError('unknown-task', 'No prompt is kept of such an attempt.');
      return promptText(found);
    },
    redact: project.redact,
  };
}

/** Secrets are taken out before anything is shortened: half of one would no longer be recognised. */
async function recordsOf(project: Project, reader: Reader, agents: readonly Agent[]): Promise<Records> {
  const { stores, events, receipts } = await reader.read();
  const clean = <T>(value: T): T => mapStrings(value, project.redact);
  const [sessions, breakers, tasks] = await Promise.all([
    viewSessions(project, stores, { isAll: false }),
    stores.breakers.list(),
    stores.tasks.list(),
  ]);
  // What a task says at length is not shown here.
  const brief = tasks.map(({ task: _, baseline: __, ...record }) => ({
    ...clean(record),
    task_id: record.task_id,
  }));
  const shown = newestOf(brief);
  const attempts = await Promise.all(shown.map(({ task_id }) => stores.attempts.list(task_id)));
  return {
    now: project.clock.now(),
    project: project.config.project,
    root: project.root,
    sessions: clean(sessions),
    receipts,
    events,
    breakers: clean(breakers.map(({ value }) => value)),
    lineup: project.config.lineup,
    measured: measuredOf(agents, project.root),
    tasks: brief,
    attempts: new Map(shown.map(({ task_id }, index) => [task_id, clean(attempts[index] ?? [])])),
    untrusted: project.trust.isAgreed ? [] : Object.keys(project.trust.parts),
  };
}

/** As `foreword doctor` has it, but no agent is started to be asked for its version. */
function measuredOf(agents: readonly Agent[], cwd: string): readonly KnownMeasurement[] {
  const results = readResults(stateFolder(environment(), homedir()));
  const path = environment().PATH ?? '';
  const installed = new Map(
    agents.flatMap((agent) => {
      const program = findProgram(agent.interactive?.command[0] ?? '', { path, cwd });
      const known = program === undefined ? undefined : measurementOf(results, agent.name, program);
      return known === undefined ? [] : [[agent.name, known.version] as const];
    }),
  );
  return results.measurements.map((one) => {
    const version = installed.get(one.agent);
    return { ...one, isInstalled: version === undefined ? undefined : version === one.version };
  });
}

interface Reader {
  /** Throws what the store says; one reading at a time. */
  read(): Promise<Reading>;
  close(): Promise<void>;
}

interface Reading {
  readonly stores: Stores;
  /** Redacted, the prompts left out; the same array as long as nothing is new. */
  readonly events: readonly ForewordEvent[];
  readonly receipts: readonly Receipt[];
}

/** Logs only grow, so that only what is new is read. */
function openReader(project: Project): Reader {
  const spool = watchSpool(stateFolder(environment(), homedir()), project.root);
  const journal = tailOf<ForewordEvent>((event) => mapStrings(withoutPrompt(event), project.redact));
  const receipts = tailOf<Receipt>((receipt) => ({
    ...mapStrings(receipt, project.redact),
    delivery: receipt.delivery,
    session: receipt.session,
  }));
  let open: Stores | undefined;
  let known = '';
  let joined: { from: readonly ForewordEvent[]; spooled: readonly ForewordEvent[]; all: readonly ForewordEvent[] } = {
    from: [],
    spooled: [],
    all: [],
  };
  let reading: Promise<Reading> | undefined;

  const once = async (): Promise<Reading> => {
    const print = storeIdentity(choiceOf(project));
    if (print !== known) {
      await open?.close();
      open = undefined;
      journal.forget();
      receipts.forget();
      known = print;
    }
    const stores = open ?? (await openToLook(choiceOf(project), PATIENCE_MS));
    open = stores;
    try {
      const told = await journal.follow(stores.journal);
      const ended = await receipts.follow(stores.receipts);
      const spooled = spool();
      if (told !== joined.from || spooled !== joined.spooled) {
        joined = { from: told, spooled, all: withSpooled(told, spooled, project.redact) };
      }
      return { stores, events: joined.all, receipts: ended };
    } catch (error) {
      // It may be another one by the next look.
      open = undefined;
      await stores.close();
      throw error;
    }
  };
  return {
    read: () => {
      reading ??= once().finally(() => {
        reading = undefined;
      });
      return reading;
    },
    close: async () => {
      await reading?.catch(() => undefined);
      await open?.close();
    },
  };
}

function choiceOf({ root, config: { project, store } }: Project): StoreChoice {
  return { root, project, store };
}

interface Tail<T extends { readonly id: string }> {
  /** Everything so far; the same array as long as nothing is new. */
  follow(log: Log<T>): Promise<readonly T[]>;
  forget(): void;
}

function tailOf<T extends { readonly id: string }>(keep: (value: T) => T): Tail<T> {
  let values: readonly T[] = [];
  let last = 0;
  const forget = (): void => {
    values = [];
    last = 0;
  };
  return {
    forget,
    follow: async (log) => {
      const [newest] = await log.last(1);
      // Begun anew, by hand or by a server that lost what it had.
      if ((newest?.number ?? 0) < last) forget();
      const fresh: T[] = [];
      while (last < (newest?.number ?? 0)) {
        const entries = await log.read({ after: last, limit: CHUNK });
        for (const { value } of entries) fresh.push(keep(value));
        last = entries.at(-1)?.number ?? newest?.number ?? last;
      }
      if (fresh.length > 0) values = [...values, ...fresh];
      return values;
    },
  };
}

/** A prompt is long, and asked for by itself. */
function withoutPrompt(event: ForewordEvent): ForewordEvent {
  return event.kind === 'prompt-composed' ? { ...event, original: '', handover: '' } : event;
}

function withSpooled(
  told: readonly ForewordEvent[],
  spooled: readonly ForewordEvent[],
  redact: (text: string) => string,
): readonly ForewordEvent[] {
  if (spooled.length === 0) return told;
  const known = new Set(told.map(({ id }) => id));
  const fresh = spooled.filter(({ id }) => !known.has(id) && known.add(id));
  return [...told, ...fresh.map((event) => mapStrings(event, redact))];
}

async function promptIn(stores: Stores, task: string, attempt: number): Promise<ComposedPrompt | undefined> {
  let found: ComposedPrompt | undefined;
  for (let after = 0; ; ) {
    const entries = await stores.journal.read({ after, limit: CHUNK });
    for (const { value } of entries) {
      if (value.kind === 'prompt-composed' && value.task === task && value.attempt === attempt) found = value;
    }
    const last = entries.at(-1);
    if (last === undefined) return found;
    after = last.number;
  }
}
