import { type ColourChoice, hasColours } from './colours.ts';
import { type Display, openPaging } from './paging.ts';
import { toStyle } from './style.ts';
import type { Face, Terminal } from './terminal.ts';

/** Choices of how a command shows its output. */
export interface DisplayChoices {
  readonly color?: ColourChoice;
  readonly noPager?: boolean;
}

/** Applies the choices of a call to a terminal. Without `noPager` the command has no pager. */
export function openDisplay(terminal: Terminal, { color = 'auto', noPager = true }: DisplayChoices): Display {
  const coloured = color === 'auto' ? terminal : withColours(terminal, color);
  return noPager ? { terminal: coloured, end: async () => {} } : openPaging(coloured);
}

function withColours(terminal: Terminal, choice: ColourChoice): Terminal {
  const recolour = (face: Face): Face => ({
    // The width of a terminal can change at any time.
    get width() {
      return face.width;
    },
    style: toStyle(hasColours({ choice, isTerminal: true, environment: terminal.environment })),
  });
  return { ...terminal, data: recolour(terminal.data), talk: recolour(terminal.talk) };
}
