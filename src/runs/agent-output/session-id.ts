// The id of an agent's session, as the agent printed it. It becomes an argument of a later command, and what an agent prints is not
// to be trusted: tools that it runs can write there too. Only a form that no program takes for a flag, a number or a path passes.

import { type Oneshot, type OutputSpec, withArguments } from '../../kernel/agent.ts';
import { fits, lineValues, textAt } from './read-output.ts';

/** Ids of agents have 30 or 36 characters. Shorter words mean something else to some: `latest`, `2`. */
const SESSION_ID = /^[A-Za-z0-9][A-Za-z0-9_-]{15,127}$/;

export function isSessionId(text: string): boolean {
  return SESSION_ID.test(text);
}

/** The first session that the output names; `undefined` without one, and for an id of another form. */
export function readSessionId(oneshot: Oneshot, stdout: string): string | undefined {
  const { resume, output } = oneshot;
  if (resume === undefined || output.format === 'text' || output.session === undefined) return undefined;
  for (const value of lineValues(stdout)) {
    const id = sessionIn(value, output.session);
    if (id !== undefined) return isSessionId(id) ? id : undefined;
  }
  return undefined;
}

/** As one value of the output names it, whatever its form. */
export function sessionIn(value: unknown, session: JsonOutput['session']): string | undefined {
  const id = session !== undefined && fits(session, value) ? textAt(value, session.id) : '';
  return id === '' ? undefined : id;
}

type JsonOutput = Exclude<OutputSpec, { readonly format: 'text' }>;

/** The agent's command to go on in that session; `undefined` for an id of another form. Arguments that name a new session go. */
export function resumeCommand({ command, resume }: Oneshot, session: string): Oneshot['command'] | undefined {
  if (resume === undefined || !isSessionId(session)) return undefined;
  const [program, ...args] = command;
  return withArguments(
    [program, ...args.filter((argument) => !argument.includes('{session}'))],
    resume.args.map((argument) => argument.split('{session}').join(session)),
  );
}
