import { withoutEscapes } from '../parse/escape.ts';
import type { Group, Part, Query } from '../parse/tree.ts';

/** The innermost list of clauses around a cursor. */
export interface LevelAt {
  readonly parts: readonly Part[];
  /** The name of the field that a group gives to its clauses. */
  readonly field: string | undefined;
  /** True if it is a group that is not closed. */
  readonly isOpen: boolean;
}

/** The level at a cursor. An unclosed group extends to the end of the text. */
export function levelAt(query: Query, cursor: number): LevelAt {
  let level: LevelAt = { parts: query.parts, field: undefined, isOpen: false };
  for (;;) {
    const inner = groupAround(level, cursor);
    if (!inner) return level;
    level = inner;
  }
}

function groupAround({ parts, field }: LevelAt, cursor: number): LevelAt | undefined {
  for (const part of parts) {
    if (part.kind === 'Stray' || part.item.kind !== 'Group' || !isInside(part.item, cursor)) continue;
    const name = part.field ? withoutEscapes(part.field.name.text).text : field;
    return { parts: part.item.parts, field: name, isOpen: part.item.close === undefined };
  }
  return undefined;
}

function isInside({ open, close }: Group, cursor: number): boolean {
  return open.to <= cursor && (!close || cursor <= close.from);
}
