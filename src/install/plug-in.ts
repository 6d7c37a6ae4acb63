// The plug-ins for agents that have no hooks of their own: a file of ours that their runtime loads. It calls the same hook
// program as everybody else, with a payload like that of the agents that have hooks, never throws and never waits longer than
// LIMIT_MS. What an agent's runtime calls is in its folder (plug-in.ts); all are driven in plug-in.test.ts.

import { INSTALLS } from '../agents/installs.ts';
import { HOOK_EVENTS, type HookEvent } from '../kernel/hook-events.ts';
import { signed } from './own-file.ts';

type Words = (event: HookEvent) => readonly string[];

/** Empty for an agent that loads none. */
export function plugInFor(agent: string, words: Words): string {
  const facts = INSTALLS[agent];
  return facts?.content.kind === 'plug-in' ? plugIn(facts.title, facts.content.code, words) : '';
}

export function plugIn(title: string, code: string, words: Words): string {
  return signed(
    `// Puts foreword's context before ${title}'s model. In projects without .foreword/ or .context/ it says nothing.\n${call(words)}${code}`,
  );
}

function call(words: Words): string {
  const commands = HOOK_EVENTS.map((event) => `  ${JSON.stringify(event)}: ${JSON.stringify(words(event))},\n`);
  return `import { spawn } from 'node:child_process';

const COMMANDS = {
${commands.join('')}};
${CALL}`;
}

const CALL = `const LIMIT_MS = 3000;
const MAX_LENGTH = 65536;

// What there is to say at this event, or undefined.
function ask(event, payload) {
  return new Promise((resolve) => {
    const [program, ...words] = COMMANDS[event];
    let child;
    let said = '';
    const end = () => {
      clearTimeout(timer);
      resolve(contextIn(said));
    };
    const timer = setTimeout(() => {
      if (child !== undefined) child.kill('SIGKILL');
      end();
    }, LIMIT_MS);
    try {
      child = spawn(program, words, { cwd: payload.cwd, stdio: ['pipe', 'pipe', 'ignore'] });
      child.on('error', end);
      child.on('close', end);
      child.stdout.setEncoding('utf8');
      child.stdout.on('data', (part) => {
        if (said.length < MAX_LENGTH) said += part;
      });
      child.stdin.on('error', () => {});
      child.stdin.end(JSON.stringify(payload));
    } catch {
      end();
    }
  });
}

function contextIn(said) {
  try {
    const answer = JSON.parse(said);
    const text = (answer.hookSpecificOutput || answer).additionalContext;
    return typeof text === 'string' && text.trim() !== '' ? text : undefined;
  } catch {
    return undefined;
  }
}

function join(texts) {
  return texts.filter((text) => text !== undefined).join('\\n\\n');
}

// The input of a tool can be a whole file; beyond some size only its keys matter to nobody.
function bounded(input) {
  try {
    return JSON.stringify(input).length > MAX_LENGTH ? {} : input;
  } catch {
    return {};
  }
}
`;
