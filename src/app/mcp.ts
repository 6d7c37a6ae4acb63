// Joins the MCP server to the project, the spool of the journal and the transcripts of agents.

import type { ProjectOptions } from '../config/project-options.ts';
import { saveJson } from '../context/save-notes.ts';
import { startupText } from '../context/startup-text.ts';
import { reportToHost } from '../hooks/report.ts';
import { appendSpool } from '../hooks/spool.ts';
import type { AskedProject } from '../mcp/answers.ts';
import { askedFolder, isOnAt } from '../mcp/folder.ts';
import { readHostContext, reportGiven } from '../mcp/host-context.ts';
import { recorder } from '../mcp/records.ts';
import { type McpServing, serveMcp } from '../mcp/serve.ts';
import { followAgent } from '../sessions/transcripts/follow-agent.ts';
import { openForeignLater } from '../stores/sqlite/foreign-later.ts';
import { environment } from '../system/environment.ts';
import { hookStateFolder } from '../system/files/project-state.ts';
import { newId } from '../system/ids.ts';
import { openProject } from './project.ts';

export function serveMcpHere(version: string, options: ProjectOptions & { note(line: string): void }): McpServing {
  const env = environment();
  const startedAt = Date.now();
  return serveMcp({
    version,
    note: options.note,
    open: (roots) => asked({ ...options, cwd: askedFolder(options.cwd, env, roots) }),
    openTranscript: (agent, cwd) => followAgent(agent, { cwd, env, startedAt, openDatabase: openForeignLater }),
    hostContext: () => readHostContext(env),
    reportGiven: (given) => reportGiven(given, env, reportToHost),
    ...recorder({ newId, now: Date.now, append: (root, entry) => appendSpool(hookStateFolder(env), root, entry) }),
  });
}

function asked(options: ProjectOptions & { readonly cwd: string }): AskedProject {
  const project = openProject(options);
  return {
    ...project,
    isOn: isOnAt(options.cwd, environment()),
    startup: (agent, task) => startupText(project, agent, task),
    save: (json) => saveJson(project, json),
  };
}
