// Switching in a person's own terminal: this process has a PTY for each of the two agents, and passes the person's terminal through
// to the one that is shown. The other one goes on behind.

import type { DeliveryRecord } from '../../kernel/delivery.ts';
import type { Terminal } from '../../kernel/terminal.ts';
import type { AgentView, HereParts, ShowHow, ShownAgent } from '../client/start-here.ts';
import { makePersonKeys } from '../person-keys.ts';
import { removePlace } from '../places.ts';
import type { PreparedSession, StartRequest } from '../prepared.ts';
import { driveSeats, type OpenedSeat, type SeatsDriver } from '../seats/drive.ts';
import { backLine } from '../seats/hand-over.ts';
import type { LeftSeat, Seat } from '../seats/seats.ts';
import { type HostedSession, runSession } from './run-session.ts';

export interface HereSeats {
  /** Starts the first agent. Nothing is left behind when it throws. */
  begin(request: StartRequest): Promise<void>;
  /** Resolves with the exit code of the agent that ended last. */
  over(): Promise<number>;
  /** Ends all agents. */
  end(): Promise<void>;
  /** Gives the person's terminal back. */
  leave(): Promise<void>;
  startups(): readonly (DeliveryRecord | undefined)[];
}

interface HereSeat extends OpenedSeat {
  readonly terminal: Terminal;
  readonly running: HostedSession;
  /** Gives it the person's terminal. */
  readonly show: (how: Pick<ShowHow, 'isAgain' | 'saying'>) => ShownAgent;
}

/** `config` is the configuration file that the person named. */
export function openSeatsHere(parts: HereParts, config: string | undefined): HereSeats {
  return new SeatsHere(parts, config);
}

class SeatsHere implements HereSeats {
  readonly #parts: HereParts;
  readonly #config: string | undefined;
  readonly #seats = new Map<string, HereSeat>();
  #driver: SeatsDriver | undefined;
  #relay: ShownAgent | undefined;
  #shown: string | undefined;
  #status = 0;
  readonly #announced = new Map<string, string | undefined>();

  constructor(parts: HereParts, config: string | undefined) {
    this.#parts = parts;
    this.#config = config;
  }

  async begin(request: StartRequest): Promise<void> {
    const first = await this.#open(request);
    this.#driver = driveSeats({
      first,
      open: (agent, args) => this.#openBeside(agent, args),
      show: (session, after) => this.#show(session, after),
      onFault: first.running.onFault,
    });
  }

  async over(): Promise<number> {
    await this.#driver?.over;
    return this.#status;
  }

  async end(): Promise<void> {
    await Promise.all([...this.#seats.values()].map(({ terminal }) => terminal.end()));
  }

  async leave(): Promise<void> {
    const relay = this.#relay;
    [this.#relay, this.#shown] = [undefined, undefined];
    await relay?.detach();
  }

  startups(): readonly (DeliveryRecord | undefined)[] {
    return [...this.#seats.values()].map(({ running }) => running.startup());
  }

  async #openBeside(agent: string, args: readonly string[]): Promise<OpenedSeat> {
    const before = this.#seats.get(this.#shown ?? '');
    const from = before === undefined ? {} : { from: await before.running.handOver() };
    const request = { agent, args, hasContext: true, isUnattended: false, config: this.#config, ...from };
    return this.#open(request).catch(async (error: unknown) => {
      if (before !== undefined) await this.#show(before.seat.session);
      throw error;
    });
  }

  async #open(request: StartRequest): Promise<HereSeat> {
    const place = this.#parts.newPlace();
    try {
      return await this.#start(await this.#parts.prepare(request, place));
    } catch (error) {
      removePlace(place);
      throw error;
    }
  }

  async #start(prepared: PreparedSession): Promise<HereSeat> {
    const { hosting, openPty, person } = this.#parts;
    const { project } = hosting;
    // Before the agent starts: without a store nothing can be proved.
    await project.writeStores();
    const size = { cols: person.output.columns ?? 80, rows: person.output.rows ?? 24 };
    const { command, env, id: session } = prepared;
    const terminal = await openPty({ command, cwd: project.cwd, env, size });
    const keys = makePersonKeys({
      now: () => project.clock.now(),
      forward: (bytes) => void terminal.write(bytes).catch(() => undefined),
    });
    // The person and our screen get every byte: nothing is read until both listen.
    terminal.pause();
    const view: AgentView = person.view(terminal);
    const onKeys: ShowHow['onKeys'] = (bytes, isPerson) => keys.write(bytes, isPerson);
    const show: HereSeat['show'] = (how) =>
      view.show({ ...how, onKeys, onSuspend: (isSuspended) => this.#suspend(isSuspended) });
    await this.leave();
    this.#relay = show({ isAgain: false });
    const announce = (text: string | undefined): void => {
      this.#announced.set(session, text);
      if (this.#shown === session) this.#relay?.announce(text);
    };
    const onSwitch = (agent: string, args: readonly string[]): Promise<Seat> => this.#ask(agent, args);
    const agent = { terminal, keys, size, onSwitch, announce };
    const running = await runSession(hosting, prepared, agent).catch(async (error: unknown) => {
      await this.leave();
      await terminal.end();
      throw error;
    });
    this.#shown = session;
    terminal.resume();
    const ended = running.ended.then(({ status }) => {
      this.#status = status;
    });
    const seat = { seat: { session, agent: prepared.agent.name }, ended, terminal, running, show };
    this.#seats.set(session, seat);
    await this.#tellShown(session);
    return seat;
  }

  async #tellShown(shown: string): Promise<void> {
    const there = [...this.#seats].filter(([, { running }]) => running.record().endedAt === undefined);
    await Promise.all(there.map(([id, { running }]) => running.shows(id === shown ? undefined : shown)));
  }

  /** All of them: this process hosts them, and it is stopped. */
  async #suspend(isSuspended: boolean): Promise<void> {
    await Promise.all([...this.#seats.values()].map(({ running }) => running.suspend(isSuspended)));
  }

  async #ask(agent: string, args: readonly string[]): Promise<Seat> {
    if (this.#driver === undefined) throw new Error('the session is starting');
    return this.#driver.ask(agent, args);
  }

  async #show(session: string, after?: LeftSeat): Promise<void> {
    const seat = this.#seats.get(session);
    if (seat === undefined || this.#shown === session) return;
    await this.leave();
    const saying = after?.isOver === true ? backLine(after.agent, seat.seat.agent) : undefined;
    this.#relay = seat.show({ isAgain: true, saying });
    this.#shown = session;
    this.#relay.announce(this.#announced.get(session));
    await this.#tellShown(session);
    const left = after === undefined ? undefined : this.#seats.get(after.session);
    const text = await left?.running.meanwhile(after?.isOver === true);
    if (text !== undefined) await seat.running.inform(text);
  }
}
