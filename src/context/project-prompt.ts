// The whole prompt of a task of an open project, with the project's own settings.

import { demandKnown, demandOptions, demandProject, demandText } from '../kernel/demand.ts';
import { composeTaskPrompt, type PromptAsk, type TaskPrompt } from './compose-prompt.ts';
import { askOf, type ContextProject } from './project-context.ts';
import type { Role } from './texts/role-templates.ts';

const CALL = "composeTaskPrompt(openProject(), 'task-id')";

/** The whole prompt of a task. Throws `bad-input` with every fault, and `unknown-task`. */
export async function promptOf(
  project: ContextProject,
  taskId: string,
  how: Pick<PromptAsk, 'attempt' | 'agent'> & { readonly role?: Role; readonly template?: string | undefined } = {},
): Promise<TaskPrompt> {
  demandProject(project, CALL);
  demandText(taskId, CALL);
  demandOptions(how, CALL);
  demandKnown(how, CALL, ['attempt', 'agent', 'role', 'template']);
  const { config } = project;
  const role = how.role ?? 'engineer';
  return composeTaskPrompt({
    ...askOf(project, await project.readStores()),
    taskId,
    role,
    template: project.template(role, how.template),
    attempt: how.attempt,
    agent: how.agent,
    project: config.project,
    workingDirectory: project.root,
    historySize: config.history.size,
    maxBlockers: config.history.maxBlockers,
    handover: config.handover,
  });
}
