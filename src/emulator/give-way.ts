import { setImmediate as nextTurn } from 'node:timers/promises';

/** Work goes on without a break for this long, in milliseconds: requests in between are answered soon. */
const slice = 10;

/** The texts as UTF-8, one after the other. Gives way to requests and timers while it encodes many. */
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
