import { reopenCase } from '../../case/index.ts';
import type { CallContext } from './opened.ts';

/** Runs work in a turn of reading, on cases that are open. */
export function runReading<T>(context: CallContext, work: () => Promise<T>): Promise<T> {
  return context.turns.read(async () => {
    await reopenAll(context);
    return await work();
  });
}

/** Streams in a turn of reading, until the stream has ended or is closed. */
export function readingStream<T>(context: CallContext, work: () => AsyncIterable<T>): AsyncIterable<T> {
  return context.turns.stream(async function* () {
    await reopenAll(context);
    yield* work();
  });
}

/** Opens cases again that another program kept from being opened after a note. */
async function reopenAll({ opened }: CallContext): Promise<void> {
  for (const each of opened.cases) await reopenCase(each);
}
