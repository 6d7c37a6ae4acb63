export interface PersonOptions {
  readonly seed?: number;
  /** Between two keys, drawn evenly. Default 20 to 180. */
  readonly gapMs?: readonly [number, number];
  /** A pause for thought. Default 300 to 1200. */
  readonly pauseMs?: readonly [number, number];
  /** Share of keys before which there is such a pause. Default 0.05. */
  readonly pauses?: number;
  /** Share of keys before which a wrong one is typed and taken back. Default 0.08. */
  readonly mistakes?: number;
  /** Enter at the end. Default false. */
  readonly enter?: boolean;
}

export interface PersonKey {
  readonly key: string;
  /** Milliseconds since 1970, just before it was written. */
  readonly at: number;
}

export declare const PERSON: {
  readonly enter: string;
  readonly backspace: string;
  readonly slash: string;
  readonly digit: (number: number) => string;
};
export declare function asPerson(text: string): string;
export declare function fromPerson(text: string): string;
export declare function isPersons(character: string): boolean;
export declare function typeLikeAPerson(
  write: (key: string) => void | Promise<void>,
  text: string,
  options?: PersonOptions,
): Promise<PersonKey[]>;
export declare function makeDraw(seed: number): () => number;
