// Plug-ins for agents without hooks: a file of ours that the agent's runtime loads. It calls the same hook program, with the
// same payload as an agent with hooks would send. It never throws and never waits longer than LIMIT_MS. The functions that an
// agent's runtime calls are in its folder (plug-in.ts); plug-in.test.ts runs them all.

import { INSTALLS } from '../agents/installs.ts';
import { HOOK_EVENTS, type HookEvent } from '../kernel/hook-events.ts';
import { signed } from './own-file.ts';

type Words = (event: HookEvent) => readonly string[];

/** Empty for an agent without plug-ins. */
export function plugInFor(agent: string, words: Words): string {
  const facts = INSTALLS[agent];
  return facts?.content.kind === 'plug-in' ? plugIn(facts.title, facts.content.code, words) : '';
}

export function plugIn(title: string, code: string, words: Words): string {
  return signed(
    `// Puts foreword's context before ${title}'s model. In projects without .foreword/ or .context/ it does nothing.\n${call(words)}${code}`,
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

// Returns the context for this event, or undefined.
function ask(event, payload) {
  return new Promise((resolve) => {
    const [program, ...words] = COMMANDS[event];
    let child;
    let output = '';
    const end = () => {
      clearTimeout(timer);
      resolve(contextIn(output));
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
        if (output.length < MAX_LENGTH) output += part;
      });
      child.stdin.on('error', () => {});
      child.stdin.end(JSON.stringify(payload));
    } catch {
      end();
    }
  });
}

function contextIn(output) {
  try {
    const answer = JSON.parse(output);
    const text = (answer.hookSpecificOutput || answer).additionalContext;
    return typeof text === 'string' && text.trim() !== '' ? text : undefined;
  } catch {
    return undefined;
  }
}

function join(texts) {
  return texts.filter((text) => text !== undefined).join('\\n\\n');
}

// The input of a tool can be a whole file; a large one is left out.
function bounded(input) {
  try {
    return JSON.stringify(input).length > MAX_LENGTH ? {} : input;
  } catch {
    return {};
  }
}
`;
