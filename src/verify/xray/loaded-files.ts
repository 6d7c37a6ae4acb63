// Instruction files that an agent gives to its model from the start: which of the known texts they are, and which of them it cut. Pure.

import type { SetupFacts } from '../../kernel/agent-setup.ts';
import type { OwnedRequest } from './attribute.ts';
import { coverage } from './coverage.ts';
import type { XrayFinding } from './findings.ts';
import type { KnownText, XrayRecording } from './recording.ts';

/** Of other folders, of skills for one, the agent gives its model the beginnings on purpose. */
const LOADED_FOLDER = /(^|\/)(rules|instructions)\/$/;
const DEEPEST_IMPORT = 5;
/** No agent has a limit that is lower. */
const LEAST = 1000;
/** So much of each end of a file is looked for. */
const END = 100;
/** A shorter stretch of the end may stand anywhere. */
const LEAST_OF_END = 24;

type Named = Pick<SetupFacts, 'projectInstructions' | 'homeInstructions' | 'imports'>;

/** With a mark at those that are loaded, by their names and the imports in them. */
export function withLoaded(texts: readonly KnownText[], facts: Named): readonly KnownText[] {
  const ofFiles = texts.filter(({ owner }) => owner.kind === 'instructions');
  const loaded = new Set(ofFiles.filter(({ owner }) => isLoaded(owner.name, facts)));
  for (let depth = 0; depth < DEEPEST_IMPORT && facts.imports !== undefined; depth += 1) {
    const imported = new Set([...loaded].flatMap((one) => importsOf(one, facts.imports ?? /$^/g)));
    for (const one of ofFiles) if (imported.has(one.owner.name)) loaded.add(one);
  }
  return texts.map((one) => (loaded.has(one) ? { ...one, isLoaded: true } : one));
}

function isLoaded(name: string, { projectInstructions, homeInstructions }: Named): boolean {
  const paths = [...projectInstructions, ...homeInstructions.map((path) => `~/${path}`)];
  return paths.some((path) =>
    path.endsWith('/') ? LOADED_FOLDER.test(path) && `/${name}`.includes(`/${path}`) : `/${name}`.endsWith(`/${path}`),
  );
}

function importsOf({ owner, text }: KnownText, imports: RegExp): readonly string[] {
  return [...text.matchAll(imports)].map(([, path = '']) =>
    path.startsWith('~/') || path.startsWith('/') ? path : besides(owner.name, path),
  );
}

/** The path of a file that another one names relative to itself. */
function besides(name: string, path: string): string {
  const folders = name.split('/').slice(0, -1);
  for (const step of path.split('/')) {
    if (step === '..') folders.pop();
    else if (step !== '.' && step !== '') folders.push(step);
  }
  return folders.join('/');
}

/** Those whose beginning stands in the first request and whose end stands in none. */
export function cutFiles({ texts }: XrayRecording, requests: readonly OwnedRequest[]): readonly XrayFinding[] {
  const [first] = requests.filter(({ request }) => request.isMain);
  if (first === undefined) return [];
  return texts.flatMap(({ owner, text, isLoaded: isWanted }, file): XrayFinding[] => {
    const whole = text.trim();
    if (isWanted !== true || whole.length < LEAST) return [];
    const read = readOf(whole);
    if (!stands(read.slice(0, END), [first]) || stands(read.slice(-END), requests)) return [];
    if (requests.some((one) => holdsEnd(one, file, whole.length))) return [];
    const { characters, at } = coverage(first, whole, (span) => span.file === file);
    return characters === 0 ? [] : [{ kind: 'cut', owner, characters, of: text.length, at, times: 1 }];
  });
}

/** Without the settings at its beginning and comments, which agents leave out. */
function readOf(text: string): string {
  return text
    .replace(/^---\n[\s\S]*?\n---\n/, '')
    .replace(/<!--[\s\S]*?-->/g, '')
    .trim();
}

function stands(part: string, requests: readonly OwnedRequest[]): boolean {
  return requests.some(({ units }) => units.some(({ text }) => text.includes(part)));
}

/** An agent may write some words of it otherwise. */
function holdsEnd({ units }: OwnedRequest, file: number, length: number): boolean {
  return units.some(({ spans }) =>
    spans.some(({ file: of, isFrame, at = 0, from, to }) => {
      const end = at + to - from;
      return of === file && isFrame !== true && end - Math.max(at, length - END) >= LEAST_OF_END;
    }),
  );
}
