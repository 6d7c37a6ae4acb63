// The file channel: the startup context as a block in an instruction file that the agent reads.

import { basename, join } from 'node:path';
import type { Agent } from '../kernel/agent.ts';
import type { DeliveryRecord } from '../kernel/delivery.ts';
import { ensureFolder, replaceOwnFile } from '../system/files/own-folder.ts';
import {
  type ChosenInstructionFile,
  chooseInstructionFile,
  INSTRUCTION_FILES,
  instructionRuleFor,
} from './channels/file/instruction-file.ts';
import { existingInstructionFiles, writeBlock } from './channels/file/managed-block-file.ts';
import type { SessionStartup } from './prepared.ts';

/** Some agents read an instruction file only when the launch names it and it exists by then: it is made, empty, in our own
 *  folder, and stays there for the next session. Returns the arguments that name it. */
export function argumentsForFile(
  root: string,
  agent: Agent,
  startup: Pick<SessionStartup, 'ladder'> | undefined,
): readonly string[] {
  if (startup?.ladder.includes('file') !== true) return [];
  const chosen = instructionFileOf(root, agent);
  if (chosen.kind === 'none' || chosen.needsArguments === undefined) return [];
  const file = join(root, chosen.path);
  if (chosen.creates) replaceOwnFile(root, { name: basename(chosen.path), text: '' });
  return chosen.needsArguments.map((word) => (word === chosen.path ? file : word));
}

export async function writeContextFile(
  root: string,
  agent: Agent,
  delivery: Pick<DeliveryRecord, 'id' | 'text' | 'deadline'>,
): Promise<{ readonly evidence: string; readonly file: string } | { readonly refused: string }> {
  const chosen = instructionFileOf(root, agent);
  if (chosen.kind === 'none') return { refused: chosen.reason };
  if (chosen.path.startsWith('.foreword/')) ensureFolder(root);
  const { id, text: body, deadline: expiresAt } = delivery;
  const written = writeBlock(root, chosen.path, { id, body, expiresAt });
  if (written.kind === 'refused') return { refused: written.reason };
  return { evidence: `${chosen.path} holds it`, file: chosen.path };
}

function instructionFileOf(root: string, agent: Agent): ChosenInstructionFile {
  const own = agent.interactive?.file;
  const rule = own === undefined ? INSTRUCTION_FILES[agent.name] : instructionRuleFor(own);
  if (rule === undefined) return { kind: 'none', reason: 'no instruction file of this agent is known' };
  return chooseInstructionFile(rule, existingInstructionFiles(root));
}
