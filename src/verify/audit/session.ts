// One conversation, record by record: what it was, which hooks ran, what of their texts is in it, and how long it took from each
// beginning to the first edit. Pure; everything it keeps is bounded, whatever the records hold.

import { ownWords } from '../../context/work/own-words.ts';
import type { AuditFact, EntryPoint } from '../../kernel/agent-audit.ts';
import type { WorkFact } from '../../kernel/agent-work.ts';
import { type LostText, TextsOfHooks } from './hook-texts.ts';
import { ReorientationMeter, type Reoriented } from './meter.ts';

/** What begins: the session, or what the model knows of it. */
export type Beginning = 'start' | 'resume' | 'fork' | 'compaction' | 'switch';

export interface SessionAbout {
  session?: string;
  version?: string;
  entry?: EntryPoint;
  folder?: string;
  isSubagent?: true;
}

export interface SessionCounts {
  prompts: number;
  replies: number;
  actions: number;
  edits: number;
  hooks: number;
  printed: number;
  served: number;
  /** Of the served ones. */
  characters: number;
  compactions: number;
  delegated: number;
  resumes: number;
  forks: number;
}

/** Something that went wrong, or may have. */
export interface SessionFault {
  readonly kind: FaultKind;
  readonly event?: string;
  readonly command?: string;
  readonly during?: Beginning;
  readonly count: number;
}

export type FaultKind = 'lost' | 'cut' | 'again' | 'failed' | 'slow' | 'not-again' | 'clock';

export interface EndedSession {
  readonly about: SessionAbout;
  readonly counts: SessionCounts;
  readonly faults: readonly SessionFault[];
  readonly reoriented: readonly Reoriented[];
  readonly isUnattended: boolean;
}

/** Longer than this, and a person waits for it. */
const SLOW_MS = 5000;
/** Records are written by several parts of an agent, and differ by moments. */
const BACKWARD_MS = 120_000;
/** A reply may be the last of a conversation that ended right after. */
const ENOUGH_REPLIES = 2;
const SWITCHED = '--- PROVIDER SWITCH CONTEXT ---';
const MOST_FAULTS = 200;
const MOST_CALLS = 256;

/** Prompts of all sessions that were read, so that those that a fork copied are not counted again. */
export interface KnownPrompts {
  /** True the first time. */
  add(id: string): boolean;
}

export class FollowedSession {
  readonly #about: SessionAbout = {};
  #counts = noCounts();
  #faults = new Map<string, { fault: SessionFault; count: number }>();
  #texts = new TextsOfHooks();
  #meter = new ReorientationMeter('start');
  #by: Beginning = 'start';
  #responses: string[] = [];
  #calls = new Set<string>();
  #edits = new Map<string, number>();
  #at: number | string | undefined;
  #isUnattended = false;
  /** The records so far are those of the session that this one was forked from. */
  #isCopied = false;
  #since = { replies: 0, served: 0 };
  #servedBefore = false;
  readonly #known: KnownPrompts;

  constructor(known: KnownPrompts) {
    this.#known = known;
  }

  /** The facts of one record, and when it was written, as an ISO time or in milliseconds. */
  add(facts: readonly AuditFact[], work: readonly WorkFact[], at: number | string | undefined): void {
    const about = facts.find((fact) => fact.kind === 'about');
    // A sub-agent's turns inside the conversation of its parent are not that conversation.
    const isInside = about?.isSubagent === true && this.#counts.replies > 0 && this.#about.isSubagent !== true;
    if (isInside) return;
    if (about !== undefined) this.#learn(about);
    for (const fact of work) if (fact.kind === 'asked') this.#ask(fact.text, about?.record);
    if (facts.length > 0 && at !== undefined) this.#time(at);
    for (const fact of facts) this.#take(fact);
    for (const fact of work) this.#work(fact);
  }

  end(): EndedSession {
    if (this.#isCopied) this.#begin('fork');
    this.#endSegment();
    for (const lost of this.#texts.again()) this.#fault('again', { event: lost.event });
    return {
      about: this.#about,
      counts: this.#counts,
      faults: [...this.#faults.values()].map(({ fault, count }) => ({ ...fault, count })),
      reoriented: this.#meter.all(),
      isUnattended: this.#isUnattended,
    };
  }

  #learn({ session, version, entry, folder, isSubagent }: Extract<AuditFact, { kind: 'about' }>): void {
    const about = this.#about;
    if (session !== undefined) about.session = session;
    if (version !== undefined) about.version = version;
    if (entry !== undefined) about.entry = entry;
    if (folder !== undefined) about.folder = folder;
    if (isSubagent !== undefined) about.isSubagent = isSubagent;
  }

  #ask(text: string, record: string | undefined): void {
    if (text.includes(SWITCHED)) this.#switched();
    if (ownWords(text) === undefined) return;
    const isCopy = record !== undefined && !this.#known.add(record);
    if (!isCopy && this.#isCopied) this.#begin('fork');
    this.#isCopied = isCopy;
    this.#counts.prompts += 1;
  }

  /** Times of one form that are in order need not be parsed. */
  #time(at: number | string): void {
    const before = this.#at;
    this.#at = at;
    if (before === undefined || (typeof at === typeof before && at >= before)) return;
    if (msOf(at) < msOf(before) - BACKWARD_MS) this.#fault('clock', {});
  }

  #take(fact: AuditFact): void {
    if (fact.kind === 'acted') this.#act(fact.call);
    else if (fact.kind === 'hook') this.#hook(fact);
    else if (fact.kind === 'served') this.#serve(fact);
    else if (fact.kind === 'replied') this.#reply(fact);
    else if (fact.kind === 'began') this.#began(fact.by);
    else if (fact.kind === 'delegated') this.#counts.delegated += 1;
    else if (fact.kind === 'compacted') {
      this.#counts.compactions += 1;
      this.#start('compaction');
    }
  }

  /** Every hook of one start says so. */
  #began(by: 'resume' | 'fork'): void {
    if (this.#by === by && this.#since.replies === 0) return;
    this.#counts[by === 'resume' ? 'resumes' : 'forks'] += 1;
    this.#start(by);
  }

  #act(call: string): void {
    if (this.#calls.has(call)) return;
    if (this.#calls.size >= MOST_CALLS) this.#calls = new Set([...this.#calls].slice(MOST_CALLS / 2));
    this.#calls.add(call);
    this.#counts.actions += 1;
    this.#meter.act();
  }

  #hook({ event, command, isFailed, ms, text }: Extract<AuditFact, { kind: 'hook' }>): void {
    this.#counts.hooks += 1;
    const where = command === undefined ? { event } : { event, command };
    if (isFailed === true) this.#fault('failed', where);
    if (ms !== undefined && ms >= SLOW_MS) this.#fault('slow', where);
    if (text === undefined) return;
    this.#counts.printed += 1;
    if (isFailed !== true) this.#texts.print(where, text);
  }

  #serve({ event, text, isCut }: Extract<AuditFact, { kind: 'served' }>): void {
    this.#counts.served += 1;
    this.#counts.characters += text.length;
    this.#since.served += 1;
    this.#meter.tell();
    if (text.includes(SWITCHED)) this.#switched();
    for (const { command } of this.#texts.serve({ event, text, isCut: isCut === true }))
      this.#fault('cut', { event, ...(command === undefined ? {} : { command }) });
  }

  #reply({ response, input, output }: Extract<AuditFact, { kind: 'replied' }>): void {
    this.#meter.tokens(input, output);
    if (response !== undefined && this.#responses.includes(response)) return;
    if (response !== undefined) this.#responses = [...this.#responses, response].slice(-8);
    this.#counts.replies += 1;
    this.#since.replies += 1;
    for (const lost of this.#texts.answered()) this.#lose(lost);
  }

  #lose({ event, command }: LostText): void {
    this.#fault('lost', { event, ...(command === undefined ? {} : { command }), during: this.#by });
  }

  #work(fact: WorkFact): void {
    if (fact.kind === 'unattended') this.#isUnattended = true;
    else if (fact.kind === 'edited') this.#edited();
    else if (fact.kind === 'called' && fact.deeds.some(({ kind }) => kind === 'edited')) {
      this.#edits.set(fact.call, this.#meter.actions);
      for (const call of [...this.#edits.keys()].slice(0, -MOST_CALLS)) this.#edits.delete(call);
    } else if (fact.kind === 'returned') this.#returned(fact.call, fact.isFailed);
  }

  #returned(call: string, isFailed: boolean): void {
    const actions = this.#edits.get(call);
    this.#edits.delete(call);
    if (actions !== undefined && !isFailed) this.#edited(actions);
  }

  #edited(actions?: number): void {
    this.#counts.edits += 1;
    this.#meter.edit(actions);
  }

  #switched(): void {
    if (this.#counts.actions === 0 && this.#by === 'start') this.#by = this.#meter.rename('switch');
  }

  /** Everything so far was counted where it happened. */
  #begin(by: 'fork'): void {
    const { forks } = this.#counts;
    this.#counts = { ...noCounts(), forks: Math.max(1, forks) };
    this.#faults.clear();
    this.#meter = new ReorientationMeter(by);
    this.#by = by;
    this.#isCopied = false;
  }

  #start(by: Beginning): void {
    this.#endSegment();
    this.#by = by;
    this.#meter.begin(by);
    this.#servedBefore ||= this.#since.served > 0;
    this.#since = { replies: 0, served: 0 };
    if (by !== 'compaction') return;
    for (const { event } of this.#texts.again()) this.#fault('again', { event });
    this.#texts.forget();
  }

  #endSegment(): void {
    const { replies, served } = this.#since;
    const isBare = this.#by === 'compaction' && this.#servedBefore && served === 0 && replies >= ENOUGH_REPLIES;
    if (isBare) this.#fault('not-again', {});
  }

  #fault(kind: FaultKind, where: Omit<SessionFault, 'kind' | 'count'>): void {
    const key = JSON.stringify([kind, where]);
    const known = this.#faults.get(key);
    if (known !== undefined) known.count += 1;
    else if (this.#faults.size < MOST_FAULTS) this.#faults.set(key, { fault: { kind, ...where, count: 1 }, count: 1 });
  }
}

function msOf(at: number | string): number {
  return typeof at === 'number' ? at : Date.parse(at);
}

export function noCounts(): SessionCounts {
  return {
    prompts: 0,
    replies: 0,
    actions: 0,
    edits: 0,
    hooks: 0,
    printed: 0,
    served: 0,
    characters: 0,
    compactions: 0,
    delegated: 0,
    resumes: 0,
    forks: 0,
  };
}
