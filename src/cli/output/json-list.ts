import { toJson } from '../terminal/printable.ts';

/** The pieces of a JSON list whose items come one by one. */
export async function* jsonList(items: AsyncIterable<unknown>): AsyncGenerator<string, void, undefined> {
  let before = '[';
  for await (const item of items) {
    yield `${before}\n${toJson(item, 2).replace(/^/gm, '  ')}`;
    before = ',';
  }
  yield before === '[' ? '[]\n' : '\n]\n';
}
