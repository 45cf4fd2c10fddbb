/**
 * A binary heap: an array whose first item is the least. The engine changes items inside its heap,
 * so its results depend on how the heap moves items. These functions move them in the same way.
 */
export type Heap<T> = T[];

type IsLess<T> = (a: T, b: T) => boolean;

/** Adds an item. */
export function pushHeap<T>(heap: Heap<T>, item: T, isLess: IsLess<T>): void {
  let at = heap.push(item) - 1;
  while (0 < at) {
    const above = (at - 1) >> 1;
    const parent = heap[above];
    if (parent === undefined || !isLess(item, parent)) break;
    heap[at] = parent;
    at = above;
  }
  heap[at] = item;
}

/** Removes and returns the first item, or undefined if the heap is empty. */
export function popHeap<T>(heap: Heap<T>, isLess: IsLess<T>): T | undefined {
  const first = heap[0];
  const moved = heap.pop();
  if (moved === undefined || heap.length === 0) return first;
  let at = 0;
  for (;;) {
    const below = lesserChild(heap, at, isLess);
    const child = heap[below];
    if (child === undefined || !isLess(child, moved)) break;
    heap[at] = child;
    at = below;
  }
  heap[at] = moved;
  return first;
}

function lesserChild<T>(heap: Heap<T>, at: number, isLess: IsLess<T>): number {
  const [left, right] = [heap[2 * at + 1], heap[2 * at + 2]];
  return left !== undefined && right !== undefined && isLess(right, left) ? 2 * at + 2 : 2 * at + 1;
}
