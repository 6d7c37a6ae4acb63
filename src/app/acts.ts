// What a session does besides carrying texts, joined to what is real: its startup context, the commands of its agent, and
// the block in an instruction file.

import { readContinuity } from '../context/continuity.ts';
import type { DeliveryRecord } from '../kernel/delivery.ts';
import { removeBlocks } from '../sessions/channels/file/managed-block-file.ts';
import {
  type BlockRemoval,
  removeBlocksOf,
  removeBlockWhenDone as removeWhenDone,
} from '../sessions/channels/file/remove-block.ts';
import type { InBandCommand } from '../sessions/in-band.ts';
import { runCommand as run } from '../sessions/run-command.ts';
import type { Session } from '../sessions/session.ts';
import { deliverStartup as startDelivery, typedLine } from '../sessions/startup.ts';
import type { Project } from './project.ts';
import { newDeliveryId, type PreparedSession, startupText } from './session.ts';

export function deliverStartup(session: Session, { startup, agent }: PreparedSession): Promise<void> {
  return startDelivery(session, startup, agent.interactive);
}

export function typeLine(session: Session, text: string): Promise<unknown> {
  return session.deliver(typedLine(newDeliveryId(), text));
}

export function runCommand(project: Project, session: Session, command: InBandCommand): Promise<void> {
  return run(command, {
    startupText: () => startupText(project),
    typeText: (text) => typeLine(session, text),
    readContinuity,
    newId: project.newId,
    now: () => project.clock.now(),
    saveContinuity: async (record) => {
      await (await project.writeStores()).continuity.append(record);
      await project.emit({ kind: 'continuity-saved', continuity: record.id, by: 'agent' });
    },
  });
}

export function removeBlockWhenDone(project: Project, session: Session): void {
  removeWhenDone(session, removalIn(project));
}

export function removeOwnBlocks(project: Project, session: Session): void {
  removeBlocksOf(session.deliveries.all(), removalIn(project));
}

export function removeBlockOf(project: Project, delivery: DeliveryRecord): void {
  removeBlocksOf([delivery], removalIn(project));
}

function removalIn(project: Project): BlockRemoval {
  return {
    now: () => project.clock.now(),
    removeBlocks: (which, paths) => removeBlocks(project.root, which, paths),
  };
}
