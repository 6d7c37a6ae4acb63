// Loaded before a worker's own code (node --require): its clock is wrong by SKEW_MS milliseconds, as on a machine whose clock nobody
// sets. Only what Date says is wrong; timers run on.

const skew = Number(process.env.SKEW_MS ?? 0);
const Right = Date;

class WrongDate extends Right {
  constructor(...words) {
    if (words.length === 0) super(Right.now() + skew);
    else super(...words);
  }
  static now() {
    return Right.now() + skew;
  }
}

globalThis.Date = WrongDate;
