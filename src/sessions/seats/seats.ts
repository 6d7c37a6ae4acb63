// The seats of a session: the agent that a person started, and the one they go on with. Pure: `advance` says what follows from an
// event, sessions/seats/drive.ts does it.
//
// A person sees one agent at a time, in the same terminal. Switching never ends an agent: the other one waits behind, with its
// draft as it was typed, and comes back when it is asked for or when the one in front of it ends.
//
// one      One agent. Entered at the start, from `opening` when the other one could not be started, and from `two` when either
//          agent ended: the one that is left is the first from then on.
// opening  The other agent is being started; the first is still shown. Can only be entered from `one`, by a switch to an agent
//          that is not there. Further switches are refused meanwhile. Left for `two` when it runs, for `one` when it did not
//          start; when the first ends meanwhile, the one that is coming is waited for.
// two      Both run, and `shown` says which one has the screen. Can only be entered from `opening`. A switch to either of the two
//          shows it; a switch to a third agent is refused, since one of the two would be lost from sight.
// over     No agent is left. Never left.

export interface Seat {
  readonly session: string;
  readonly agent: string;
}

/** An agent that no longer has the terminal. */
export interface LeftSeat extends Seat {
  readonly isOver: boolean;
}

export type Seats =
  | { readonly kind: 'one'; readonly first: Seat }
  | { readonly kind: 'opening'; readonly first: Seat; readonly agent: string; readonly isFirstGone: boolean }
  | { readonly kind: 'two'; readonly first: Seat; readonly second: Seat; readonly shown: 'first' | 'second' }
  | { readonly kind: 'over' };

export type SeatEvent =
  /** A person wants to go on with this agent. */
  | { readonly kind: 'asked'; readonly agent: string }
  | { readonly kind: 'opened'; readonly seat: Seat }
  | { readonly kind: 'not-opened' }
  /** The agent of this session ended. */
  | { readonly kind: 'ended'; readonly session: string };

export type SeatAction =
  | { readonly kind: 'none' }
  | { readonly kind: 'open'; readonly agent: string }
  /** `after` had the terminal until now; absent when the agent was only just started, and knows of it from its start. */
  | { readonly kind: 'show'; readonly session: string; readonly after?: LeftSeat }
  | { readonly kind: 'refuse'; readonly reason: string };

export interface SeatStep {
  readonly seats: Seats;
  readonly action: SeatAction;
}

const NONE: SeatAction = { kind: 'none' };

export function advance(seats: Seats, event: SeatEvent): SeatStep {
  switch (event.kind) {
    case 'asked':
      return asked(seats, event.agent);
    case 'opened':
      return opened(seats, event.seat);
    case 'not-opened':
      return notOpened(seats);
    case 'ended':
      return ended(seats, event.session);
  }
}

function asked(seats: Seats, agent: string): SeatStep {
  const refuse = (reason: string): SeatStep => ({ seats, action: { kind: 'refuse', reason } });
  switch (seats.kind) {
    case 'one':
      if (seats.first.agent === agent) return refuse(`${agent} has the terminal already`);
      return {
        seats: { kind: 'opening', first: seats.first, agent, isFirstGone: false },
        action: { kind: 'open', agent },
      };
    case 'opening':
      return refuse(`${seats.agent} is being started`);
    case 'two': {
      const { first, second, shown } = seats;
      const which = agent === second.agent ? 'second' : agent === first.agent ? 'first' : undefined;
      if (which === undefined) return refuse(`${first.agent} and ${second.agent} run here; end one of them first`);
      if (which === shown) return refuse(`${agent} has the terminal already`);
      const after = { ...seats[shown], isOver: false };
      return { seats: { ...seats, shown: which }, action: { kind: 'show', session: seats[which].session, after } };
    }
    case 'over':
      return refuse('the session has ended');
  }
}

function opened(seats: Seats, second: Seat): SeatStep {
  if (seats.kind !== 'opening') return { seats, action: NONE };
  const action: SeatAction = { kind: 'show', session: second.session };
  if (seats.isFirstGone) return { seats: { kind: 'one', first: second }, action };
  return { seats: { kind: 'two', first: seats.first, second, shown: 'second' }, action };
}

function notOpened(seats: Seats): SeatStep {
  if (seats.kind !== 'opening') return { seats, action: NONE };
  return { seats: seats.isFirstGone ? { kind: 'over' } : { kind: 'one', first: seats.first }, action: NONE };
}

function ended(seats: Seats, session: string): SeatStep {
  switch (seats.kind) {
    case 'one':
      return { seats: seats.first.session === session ? { kind: 'over' } : seats, action: NONE };
    case 'opening':
      return { seats: seats.first.session === session ? { ...seats, isFirstGone: true } : seats, action: NONE };
    case 'two': {
      const gone = session === seats.first.session ? 'first' : session === seats.second.session ? 'second' : undefined;
      if (gone === undefined) return { seats, action: NONE };
      const left = gone === 'first' ? seats.second : seats.first;
      const after = { ...seats[gone], isOver: true };
      const action: SeatAction = gone === seats.shown ? { kind: 'show', session: left.session, after } : NONE;
      return { seats: { kind: 'one', first: left }, action };
    }
    case 'over':
      return { seats, action: NONE };
  }
}
