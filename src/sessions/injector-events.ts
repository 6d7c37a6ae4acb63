// The events of an injector, and its way to listen to them. Spelled out here, so that programs without the types of Node are checked
// too; it fits Node's EventEmitter, so that `once` and `on` of node:events take it.

export interface InjectorEvents {
  'injection:attempted': [{ readonly messageId: string; readonly attempt: number; readonly type: string }];
  'injection:succeeded': [{ readonly messageId: string; readonly attempts: number; readonly durationMs: number }];
  'injection:escalated': [{ readonly messageId: string; readonly escalationType: string }];
  'injection:failed': [{ readonly messageId: string; readonly attempts: number; readonly reason: string }];
  /** An error on our side; deliveries stay as they are stored. */
  error: [unknown];
}

type Name = keyof InjectorEvents;
type Listener<Event extends Name> = (...args: InjectorEvents[Event]) => void;

export interface InjectorEmitter {
  on<Event extends Name>(event: Event, listener: Listener<Event>): this;
  once<Event extends Name>(event: Event, listener: Listener<Event>): this;
  off<Event extends Name>(event: Event, listener: Listener<Event>): this;
  emit<Event extends Name>(event: Event, ...args: InjectorEvents[Event]): boolean;
  addListener<Event extends Name>(event: Event, listener: Listener<Event>): this;
  removeListener<Event extends Name>(event: Event, listener: Listener<Event>): this;
  prependListener<Event extends Name>(event: Event, listener: Listener<Event>): this;
  prependOnceListener<Event extends Name>(event: Event, listener: Listener<Event>): this;
  removeAllListeners(event?: Name): this;
  listeners<Event extends Name>(event: Event): Listener<Event>[];
  rawListeners<Event extends Name>(event: Event): Listener<Event>[];
  listenerCount(event: Name): number;
  eventNames(): Name[];
  setMaxListeners(count: number): this;
  getMaxListeners(): number;
}
