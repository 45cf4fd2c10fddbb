import { setImmediate as nextTurn } from 'node:timers/promises';

/** Longest time of work without a break in milliseconds, so that other requests are answered soon. */
const slice = 10;

/** Encodes texts as UTF-8, one after the other. Yields to requests and timers between them. */
export async function encodeTexts(texts: Iterable<string>): Promise<Uint8Array> {
  const encoded: Buffer[] = [];
  let gathered: string[] = [];
  let since = performance.now();
  for (const text of texts) {
    gathered.push(text);
    if (performance.now() - since < slice) continue;
    encoded.push(Buffer.from(gathered.join('')));
    gathered = [];
    await nextTurn();
    since = performance.now();
  }
  return Buffer.concat([...encoded, Buffer.from(gathered.join(''))]);
}
