// Switches between the agents of a session as the machine in seats.ts decides: starts the other one, shows one of the two, and
// notices when one of them ends. One thing at a time.

import { ForewordError } from '../../kernel/errors.ts';
import { advance, type LeftSeat, type Seat, type SeatEvent, type SeatStep, type Seats } from './seats.ts';

/** A seat that is taken. */
export interface OpenedSeat {
  readonly seat: Seat;
  /** Resolves when its agent ended. */
  readonly ended: Promise<unknown>;
}

export interface SeatsParts {
  readonly first: OpenedSeat;
  /** The other one, where both ran before: a host that takes over finds them so. */
  readonly second?: OpenedSeat & { readonly isShown: boolean };
  /** Starts the agent with what it must know of the work so far. */
  open(agent: string, args: readonly string[]): Promise<OpenedSeat>;
  /** Gives this session the person's terminal. Who had it before is to be told to its agent, and by whose end to the person. */
  show(session: string, after: LeftSeat | undefined): Promise<void>;
  readonly onFault: (error: unknown) => void;
}

export interface SeatsDriver {
  /** Resolves with the seat that has the terminal then. `args` are the person's own, for an agent that is to be started. Throws
   *  `conflict` when that cannot be. */
  ask(agent: string, args?: readonly string[]): Promise<Seat>;
  /** Resolves when no agent is left. */
  readonly over: Promise<void>;
}

export function driveSeats(parts: SeatsParts): SeatsDriver {
  let seats = seatsOf(parts);
  let showing: Promise<void> = Promise.resolve();
  let resolveOver: () => void;
  const over = new Promise<void>((resolve) => {
    resolveOver = resolve;
  });
  const take = (event: SeatEvent): SeatStep => {
    const step = advance(seats, event);
    seats = step.seats;
    const { action } = step;
    if (action.kind === 'show')
      showing = showing.then(() => parts.show(action.session, action.after)).catch(parts.onFault);
    if (seats.kind === 'over') resolveOver();
    return step;
  };
  const follow = ({ seat, ended }: OpenedSeat): void => {
    const end = (): void => void take({ kind: 'ended', session: seat.session });
    ended.then(end, end);
  };
  const open = async (agent: string, args: readonly string[]): Promise<Seat> => {
    try {
      const opened = await parts.open(agent, args);
      take({ kind: 'opened', seat: opened.seat });
      follow(opened);
      await showing;
      return opened.seat;
    } catch (error) {
      take({ kind: 'not-opened' });
      throw error;
    }
  };
  follow(parts.first);
  if (parts.second !== undefined) follow(parts.second);
  return {
    over,
    ask: async (agent, args = []) => {
      refuseArguments(seats, agent, args);
      const { action, seats: now } = take({ kind: 'asked', agent });
      if (action.kind === 'refuse') {
        throw new ForewordError('conflict', `Nothing was switched: ${action.reason}.`, {
          hint: 'foreword sessions lists the agents that run.',
        });
      }
      if (action.kind === 'open') return open(action.agent, args);
      await showing;
      return now.kind === 'two' ? now[now.shown] : parts.first.seat;
    },
  };
}

/** Arguments are for the start of an agent: one that runs cannot be given any. */
function refuseArguments(seats: Seats, agent: string, args: readonly string[]): void {
  const running = seats.kind === 'two' ? [seats.first, seats.second] : seats.kind === 'one' ? [seats.first] : [];
  if (args.length === 0 || !running.some((one) => one.agent === agent)) return;
  throw new ForewordError('conflict', `Nothing was switched: ${agent} runs already, and takes no arguments now.`, {
    hint: `Leave them out (foreword switch ${agent}), or end ${agent} first.`,
  });
}

function seatsOf({ first: { seat: first }, second }: SeatsParts): Seats {
  if (second === undefined) return { kind: 'one', first };
  return { kind: 'two', first, second: second.seat, shown: second.isShown ? 'second' : 'first' };
}
