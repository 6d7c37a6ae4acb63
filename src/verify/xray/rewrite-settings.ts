// Finds the hooks and MCP servers in a settings file of the copied set-up, and puts our recorder around their commands. Pure.

import type { SetupFacts } from '../../kernel/agent-setup.ts';
import { DEEPEST, type Fields, fieldsOf, isFields, textOf } from '../model/json.ts';

export interface FoundHook {
  readonly event: string;
  readonly command: string;
  /** `EVENT:GROUP:HOOK`, with their numbers. */
  readonly place: string;
  /** The agent does not wait for it. */
  readonly isAsync?: true;
}

export interface FoundServer {
  readonly name: string;
  readonly command: string;
  /** It is reached by an address. */
  readonly isRemote: boolean;
}

/** The words that run the original with a record. `undefined`: a hook is left out, a server left as it is. */
export interface Wrapping {
  hook(found: FoundHook): readonly [string, ...string[]] | undefined;
  server(found: FoundServer): readonly [string, ...string[]] | undefined;
}

/** The same value with the recorder in it. Entries of a shape that is not known stay as they are. */
export function rewriteSettings(value: unknown, serverKeys: readonly string[], wrapping: Wrapping, depth = 0): unknown {
  if (!isFields(value) || depth > DEEPEST) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => {
      if (key === 'hooks' && isFields(inner)) return [key, rewriteHooks(inner, wrapping)];
      if (serverKeys.includes(key) && isFields(inner)) return [key, rewriteServers(inner, wrapping)];
      return [key, rewriteSettings(inner, serverKeys, wrapping, depth + 1)];
    }),
  );
}

function rewriteHooks(events: Fields, wrapping: Wrapping): Fields {
  return mapped(events, (groups, event) =>
    Array.isArray(groups)
      ? groups.map((group: unknown, index) => rewriteGroup(group, { event, place: `${event}:${index}` }, wrapping))
      : groups,
  );
}

type Where = Pick<FoundHook, 'event' | 'place'>;

function rewriteGroup(group: unknown, { event, place }: Where, wrapping: Wrapping): unknown {
  if (!isFields(group)) return group;
  const one = (hook: unknown, at: number) => rewriteHook(hook, { event, place: `${place}:${at}` }, wrapping);
  if (Array.isArray(group.hooks)) return { ...group, hooks: group.hooks.map(one).filter((hook) => hook !== undefined) };
  return one(group, 0) ?? {};
}

/** What agents call the line of a hook, or its program where it has words of its own. */
const LINES = ['command', 'bash', 'exec'];

function rewriteHook(hook: unknown, where: Where, wrapping: Wrapping): unknown {
  if (!isFields(hook)) return hook;
  const key = LINES.find((name) => typeof hook[name] === 'string');
  const command = textOf(hook[key ?? '']);
  if (key === undefined || command === undefined) return hook;
  const args = wordsIn(hook.args);
  const shown = [command, ...args].join(' ');
  const words = wrapping.hook({ ...where, command: shown, ...(hook.async === true && { isAsync: true }) });
  if (words === undefined) return undefined;
  // With words of its own no shell runs it; otherwise the line goes on as one word.
  if (Array.isArray(hook.args)) return { ...hook, [key]: words[0], args: [...words.slice(1), command, ...args] };
  const line = key === 'bash' || hook.shell === 'bash' ? ['/bin/bash', '-c', command] : [command];
  return { ...hook, [key]: [...words, ...line].map(quoted).join(' ') };
}

/** Without those that are reached by an address: the agent would name them to its model as failed. */
function rewriteServers(servers: Fields, wrapping: Wrapping): Fields {
  const all = mapped(servers, (server, name) => {
    if (!isFields(server)) return server;
    const address = textOf(server.url) ?? textOf(server.httpUrl) ?? textOf(server.serverUrl);
    const list = wordsIn(server.command);
    const first = textOf(server.command) ?? list[0];
    if (first === undefined) {
      if (address === undefined) return server;
      wrapping.server({ name, command: address, isRemote: true });
      return undefined;
    }
    const given = [first, ...list.slice(1), ...wordsIn(server.args)];
    const words = wrapping.server({ name, command: given.join(' '), isRemote: false });
    if (words === undefined) return server;
    // A single word would be taken for a line of a shell.
    const whole = [...words, ...(given.length === 1 ? ['/usr/bin/env'] : []), ...given];
    if (Array.isArray(server.command)) return { ...server, command: whole };
    return { ...server, command: whole[0], args: whole.slice(1) };
  });
  return Object.fromEntries(Object.entries(all).filter(([, server]) => server !== undefined));
}

function mapped(fields: Fields, change: (value: unknown, key: string) => unknown): Fields {
  return Object.fromEntries(Object.entries(fields).map(([key, value]) => [key, change(value, key)]));
}

function wordsIn(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.filter((one) => typeof one === 'string') : [];
}

/** As one word of a POSIX shell. What the agent itself replaces inside of a command, it still finds. */
export function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}

/** Two values joined, key by key; where both have one, the second counts. */
export function merged(one: unknown, other: unknown, depth = 0): unknown {
  if (!isFields(one) || !isFields(other) || depth > DEEPEST) return other === undefined ? one : other;
  const keys = [...new Set([...Object.keys(one), ...Object.keys(other)])];
  return Object.fromEntries(keys.map((key) => [key, merged(fieldsOf(one)[key], fieldsOf(other)[key], depth + 1)]));
}

/** The texts at keys, or at paths with `*` for any name, each with its path. */
export function textsAt(value: Fields, keys: readonly string[]): readonly (readonly [path: string, text: string])[] {
  const at = (one: unknown, [key, ...rest]: readonly string[], path: string): [string, string][] => {
    if (key === undefined) return typeof one === 'string' ? [[path, one]] : [];
    const names = key === '*' ? Object.keys(fieldsOf(one)) : [key];
    return names.flatMap((name) => at(fieldsOf(one)[name], rest, path === '' ? name : `${path}.${name}`));
  };
  return keys.flatMap((key) => at(value, key.split('.'), ''));
}

/** A server's name as the names of its tools have it. */
export function serverName(own: string, plugIn: string | undefined, facts: Pick<SetupFacts, 'plugInServer'>): string {
  if (plugIn === undefined || facts.plugInServer === undefined) return own;
  return facts.plugInServer.replace('{plugIn}', () => plugIn).replace('{server}', () => own);
}
