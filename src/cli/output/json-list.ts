import { toJson } from '../terminal/printable.ts';

/** Yields the pieces of a JSON list while its items arrive. */
export async function* formatJsonList(
  items: AsyncIterable<unknown> | Iterable<unknown>,
): AsyncGenerator<string, void, undefined> {
  let before = '[';
  for await (const item of items) {
    yield `${before}\n${toJson(item, 2).replace(/^/gm, '  ')}`;
    before = ',';
  }
  yield before === '[' ? '[]\n' : '\n]\n';
}
