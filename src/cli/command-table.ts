import { type Command, toCommand } from './command.ts';
import { checkSpec, formatSpec } from './specs/language.ts';

/** Every command, in the order of the help. What runs one is loaded when it is called. */
export const commands: readonly Command[] = [
  toCommand(checkSpec, async () => (await import('./commands/check.ts')).check),
  toCommand(formatSpec, async () => (await import('./commands/format.ts')).format),
];
