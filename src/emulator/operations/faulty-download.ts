import { setTimeout as wait } from 'node:timers/promises';
import { BrokenConnection, type Effect, effectOf } from '../site/faults.ts';

/** Applies the faults of a download to its bytes: truncated, corrupt, slow or broken off. */
export function faultyDownload(
  file: Uint8Array<ArrayBuffer>,
  effects: readonly Effect[],
): { readonly bytes: Uint8Array<ArrayBuffer>; readonly stream?: ReadableStream<Uint8Array> } {
  const keep = effectOf(effects, 'truncate')?.keep ?? 1;
  const whole = file.slice(0, Math.floor(file.length * keep));
  const bytes = effectOf(effects, 'corrupt') ? corrupted(whole) : whole;
  const slow = effectOf(effects, 'slow');
  const broken = effectOf(effects, 'breakOff');
  if (!slow && !broken) return { bytes };
  const pieces = cutInto(bytes, slow?.pieces ?? 4);
  const rest = broken ? pieces.slice(0, Math.floor(pieces.length * broken.keep)) : pieces;
  return { bytes, stream: streamOf(rest, { pause: slow?.milliseconds ?? 0, breaks: broken !== undefined }) };
}

/** Inverts some bytes in the middle, where the compressed logs are. */
function corrupted(bytes: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer> {
  const copy = bytes.slice();
  const middle = Math.floor(copy.length / 2);
  for (let at = middle; at < Math.min(middle + 16, copy.length); at += 1) copy[at] = 0xff - (copy[at] ?? 0);
  return copy;
}

function cutInto(bytes: Uint8Array, count: number): Uint8Array[] {
  const size = Math.max(1, Math.ceil(bytes.length / count));
  const starts = Array.from({ length: Math.ceil(bytes.length / size) }, (_, index) => index * size);
  return starts.map((start) => bytes.slice(start, start + size));
}

function streamOf(
  pieces: readonly Uint8Array[],
  { pause, breaks }: { readonly pause: number; readonly breaks: boolean },
): ReadableStream<Uint8Array> {
  let next = 0;
  return new ReadableStream({
    async pull(controller) {
      const piece = pieces[next++];
      if (0 < pause) await wait(pause);
      if (piece) controller.enqueue(piece);
      else if (breaks) controller.error(new BrokenConnection('The download breaks off'));
      else controller.close();
    },
  });
}
