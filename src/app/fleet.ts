// Joins enqueue and worker to the project, the server of its store, the queue and git. Loaded only by the commands for it.

import { carryBy, remoteOf } from '../fleet/carry.ts';
import { type EnqueueParts, enqueue } from '../fleet/enqueue.ts';
import { type OpenWorkerParts, openWorker } from '../fleet/open-worker.ts';
import { openBells } from '../fleet/queue/bullmq.ts';
import { fleetRules } from '../fleet/refusals.ts';
import { fleetOf } from '../fleet/ring.ts';
import type { WorkerStops } from '../fleet/worker.ts';
import { hasRepository } from '../runs/checkouts/index.ts';
import type { RunOptions } from '../runs/run-options.ts';
import { parseAddress } from '../stores/redis/address.ts';
import { openSpool, type Spool } from '../stores/spool.ts';
import { environment } from '../system/environment.ts';
import { whileAtWork } from '../system/files/at-work.ts';
import { readHead } from '../system/git/head.ts';
import { isOwnerAlive, machineName, ownerName } from '../system/processes/owner.ts';
import { agentsOf } from './agents.ts';
import { expireOnRemotes } from './expire.ts';
import type { Project } from './project.ts';
import { sourceOf } from './review.ts';
import { prepareSharedRun } from './run.ts';

export async function enqueueTasks(
  project: Project,
  options: RunOptions & { readonly remote: string } & Pick<EnqueueParts, 'agree' | 'note'>,
) {
  const stores = await project.writeStores();
  const [{ id }, rules, source] = [fleetOf(stores), rulesOf(project), await sourceOf(project)()];
  const shared = { carry: carryBy({ ...options, hasSecret: secrets(project) }), lockMs: rules.lockMs };
  const prepared = await prepareSharedRun(project, { ...options, shared });
  return enqueue({
    ...{ ...options, ...prepared, stores, source, rules },
    remote: await remoteOf(source, options.remote),
    owner: ownerName(),
    allowVolatile: project.config.allowVolatile,
    openBells: () =>
      openBells({ connection: connectionOf(project), fleet: id, rules, concurrency: 1, note: options.note }),
    head: async () => (await readHead(source.theirs)).commit,
    now: () => project.clock.now(),
  });
}

export async function workOnFleet(
  project: Project,
  options: Omit<RunOptions, 'tasks'> &
    Pick<OpenWorkerParts, 'lineup' | 'concurrency' | 'isUntilDone' | 'version' | 'note' | 'opened'> & {
      readonly spool: Spool;
    },
  stops: WorkerStops,
) {
  const stores = await project.writeStores();
  const [rules, { id }, hasSecret] = [rulesOf(project), fleetOf(stores), secrets(project)];
  const { root, clock, config } = project;
  const source = await sourceOf(project)();
  const work = () =>
    openWorker(
      {
        ...{ ...options, stores, clock, root, rules, agents: agentsOf(project), isAlive: isOwnerAlive },
        hasRepository: hasRepository(source),
        owner: ownerName(),
        ...{ drainMs: config.worker.drainS * 1000, maxWaitMs: config.run.maxWaitS * 1000 },
        expire: () => expireOnRemotes(project, { isDryRun: false }),
        machine: machineName(environment()),
        allowVolatile: config.allowVolatile,
        openBells: () => openBells({ ...options, connection: connectionOf(project), fleet: id, rules }),
        prepare: async ({ taskFile, remote }, tasks, lineup) => {
          const shared = { carry: carryBy({ remote: String(remote), hasSecret }), lockMs: rules.lockMs };
          return (await prepareSharedRun(project, { ...options, tasks, taskFile, lineup, shared })).share();
        },
      },
      stops,
    );
  return whileAtWork(project.state.runs().atWork, { owner: ownerName(), what: 'foreword worker' }, work);
}

export const spoolOf = ({ state }: Project): Spool => openSpool(state.runs().spool);
const rulesOf = ({ config: { worker } }: Project) => fleetRules(worker);
const connectionOf = ({ config }: Project) => parseAddress(String(config.store)).options;
const secrets = (project: Project) => (content: string) => project.redact(content) !== content;
