// The module that stands in the place of a plug-in which an agent loads into itself: it loads the original, passes everything on, and leaves
// a record of each call: its time, how it ended, and which texts for the model it added. What the agent calls is in the agent's own code
// (setup.ts in its folder), which comes after this. Plain JavaScript without backticks.

export interface RecordedModule {
  /** The folder for records. */
  readonly records: string;
  readonly id: string;
  /** What is imported: a relative path or an address of a file. */
  readonly original: string;
  /** Of the agent. */
  readonly code: string;
}

export function moduleCode({ records, id, original, code }: RecordedModule): string {
  const names = { RECORDS: records, ID: id, ORIGINAL: original };
  const constants = Object.entries(names).map(([name, value]) => `const ${name} = ${JSON.stringify(value)};\n`);
  return `import { renameSync, writeFileSync } from 'node:fs';\n${constants.join('')}${SHARED}${code}`;
}

const SHARED = `
// Keys whose texts are for the model.
const SPOKEN = ['text', 'output', 'prompt', 'description', 'content', 'systemPrompt', 'summary', 'system', 'context'];
const DEEPEST = 12;
let written = 0;

function write(kind, record) {
  written += 1;
  const file = RECORDS + '/' + kind + '-' + ID + '-' + process.pid + '-' + written + '.json';
  try {
    writeFileSync(file + '.part', JSON.stringify(record) + '\\n');
    renameSync(file + '.part', file);
  } catch {}
}

function textsIn(value, isSpoken = false, depth = 0) {
  if (typeof value === 'string') return isSpoken && value !== '' ? [value] : [];
  if (typeof value !== 'object' || value === null || depth > DEEPEST) return [];
  if (Array.isArray(value)) return value.flatMap((one) => textsIn(one, isSpoken, depth + 1));
  return Object.entries(value).flatMap(([key, one]) => textsIn(one, SPOKEN.includes(key), depth + 1));
}

function added(before, after) {
  const gone = [...before];
  const fresh = after.filter((text) => {
    const at = gone.indexOf(text);
    if (at !== -1) gone.splice(at, 1);
    return at === -1;
  });
  const texts = fresh.flatMap((text) => {
    const old = gone.filter((one) => text.includes(one)).sort((a, b) => b.length - a.length)[0];
    if (old === undefined) return [text];
    const at = text.indexOf(old);
    return [text.slice(0, at), text.slice(at + old.length)];
  });
  return texts.map((text) => text.trim()).filter((text) => text !== '');
}

function printed(texts) {
  const context = texts.map((additionalContext, number) => ['text ' + number, { additionalContext }]);
  return texts.length === 0 ? '' : JSON.stringify(Object.fromEntries(context));
}

function ran(event, record) {
  write('hook', { hook: ID + ' ' + event, event, ...record });
}

// A text that it sends by itself.
function said(event, texts) {
  ran(event, { at: Date.now(), ms: 0, exitCode: 0, stdout: printed(texts), stderr: '' });
}

// look(result): the texts that there are, before the call without a result.
async function watched({ event, look = () => [], isFrequent = false }, work) {
  const [at, began, before] = [Date.now(), performance.now(), look()];
  const end = (exitCode, texts, stderr) => {
    const ms = Math.round(performance.now() - began);
    if (isFrequent && exitCode === 0 && texts.length === 0) return;
    ran(event, { at, ms, exitCode, stdout: printed(texts), stderr });
  };
  try {
    const result = await work();
    end(0, added(before, look(result)), '');
    return result;
  } catch (error) {
    end(1, [], String((error && error.message) || error));
    throw error;
  }
}

// Tools by name, and texts that may come up in any request.
function brings({ tools = [], texts = [] }) {
  if (tools.length + texts.length > 0) write('module', { hook: ID, tools, texts });
}
`;
