// Median and quarter of many counts in little memory: counts of one or two digits as they are, larger ones by their first two.

export interface Spread {
  readonly count: number;
  readonly median: number;
  /** Three quarters are at most this. */
  readonly p75: number;
  readonly most: number;
}

export class SpreadOf {
  readonly #times = new Map<number, number>();
  #count = 0;
  #most = 0;

  add(value: number): void {
    const step = 10 ** Math.max(0, Math.floor(Math.log10(Math.max(1, value))) - 1);
    const near = Math.round(value / step) * step;
    this.#times.set(near, (this.#times.get(near) ?? 0) + 1);
    this.#count += 1;
    this.#most = Math.max(this.#most, value);
  }

  spread(): Spread | undefined {
    if (this.#count === 0) return undefined;
    return { count: this.#count, median: this.#at(0.5), p75: this.#at(0.75), most: this.#most };
  }

  #at(share: number): number {
    let seen = 0;
    for (const [value, times] of [...this.#times].sort(([one], [other]) => one - other)) {
      seen += times;
      if (seen >= share * this.#count) return value;
    }
    return this.#most;
  }
}
