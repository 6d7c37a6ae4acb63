// The model as a separate program, for a process in another network namespace. It prints one JSON line
// `{"url":…}`, then one per main request; it takes commands as JSON lines: `{"next":[step…]}`, `{"standing":step}`,
// `{"requests":true}`, which prints `{"requests":[…]}` on one line, `{"reset":true}`. It ends when its input does, so
// that it never outlives the process that started it.

import { createInterface } from 'node:readline';
import type { Readable, Writable } from 'node:stream';
import { isForewordError } from '../../kernel/errors.ts';
import { fieldsOf, listOf } from './json.ts';
import type { RecordedRequest } from './record.ts';
import { type Model, type ModelOptions, startModel } from './server.ts';
import { stepFrom } from './steps.ts';
import { newestTurn } from './turn.ts';

export interface ProgramOptions extends Omit<ModelOptions, 'onRequest'> {
  /** Standard input and output by default. */
  readonly input?: Readable;
  readonly output?: Writable;
}

/** How much of a prompt its line shows. */
const SHOWN_CHARACTERS = 80;

/** Runs until the input ends. For a line that is not a command it prints `{"error":…}` and changes nothing. */
export async function serveModel(options: ProgramOptions = {}): Promise<void> {
  const { input = process.stdin, output = process.stdout, ...rest } = options;
  const print = (value: unknown) => output.write(`${JSON.stringify(value)}\n`);
  const model = await startModel({
    ...rest,
    onRequest: (request) => {
      if (request.isMain) print(lineFor(request));
    },
  });
  print({ url: model.url });
  for await (const line of createInterface({ input })) {
    if (line.trim() === '') continue;
    try {
      obey(model, JSON.parse(line), print);
    } catch (error) {
      print({ error: isForewordError(error) ? `${error.message} ${error.hint ?? ''}`.trim() : String(error) });
    }
  }
  await model.close();
}

function lineFor({ number, protocol, texts }: RecordedRequest) {
  return { number, protocol, text: (newestTurn(texts).prompt ?? '').slice(0, SHOWN_CHARACTERS) };
}

function obey(model: Model, command: unknown, print: (value: unknown) => void): void {
  const { next, standing, requests, reset, ...others } = fieldsOf(command);
  const unknown = Object.keys(others);
  if (unknown.length > 0) throw new Error(`Unknown command: ${unknown.join(', ')}.`);
  // The whole line is checked before anything is done: it works whole or not at all.
  const steps = listOf(next).map(stepFrom);
  const step = standing === undefined ? undefined : stepFrom(standing);
  if (reset === true) model.reset();
  if (step !== undefined) model.standing(step);
  model.next(...steps);
  if (requests === true) print({ requests: model.requests() });
}
