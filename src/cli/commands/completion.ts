import type { Command, Run } from '../command-line/command.ts';
import { offersOf } from '../completion/offers.ts';
import { scripts } from '../completion/shells.ts';
import { exitCodes } from '../exit-code.ts';
import type { completionSpec } from '../specs/completion.ts';

/** Prints the script that makes a shell complete these commands. */
export function completionOf(commands: () => readonly Command[]): Run<typeof completionSpec> {
  return async ({ arguments: { shell }, terminal }) => {
    await terminal.print(scripts[shell](offersOf(commands())));
    return exitCodes.done;
  };
}
