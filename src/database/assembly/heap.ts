/** Memory that is allocated as it is needed, and never freed. */

import { heapAddress } from './layout.ts';

/** Address after all allocated memory. */
export let heap: i32 = 0;

/** Starts with nothing allocated. */
export function startHeap(): void {
  heap = (heapAddress + 15) & -16;
}

/** Returns the address of new memory of some bytes, a multiple of eight. */
export function allocate(bytes: i32): i32 {
  const at = heap;
  heap += (bytes + 7) & -8;
  const pages = (heap + 64 + 0xffff) >>> 16;
  if (memory.size() < pages && memory.grow(pages - memory.size() + 64) < 0) unreachable();
  return at;
}
