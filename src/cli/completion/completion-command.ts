import type { Command, RunCommand } from '../command-line/command.ts';
import { exitCodes } from '../command-line/exit-code.ts';
import type { completionSpec } from '../specs/completion.ts';
import { bashScript } from './bash.ts';
import { fishScript } from './fish.ts';
import { type CompletionOffer, completionOffers } from './offers.ts';
import { zshScript } from './zsh.ts';

/** Prints the completion script of a shell for the given commands. */
export function completionCommand(commands: () => readonly Command[]): RunCommand<typeof completionSpec> {
  return async ({ arguments: { shell }, terminal }) => {
    await terminal.print(completionScripts[shell](completionOffers(commands())));
    return exitCodes.done;
  };
}

/** The completion script of each shell. */
const completionScripts: {
  readonly [S in 'bash' | 'zsh' | 'fish']: (offers: readonly CompletionOffer[]) => string;
} = {
  bash: bashScript,
  zsh: zshScript,
  fish: fishScript,
};
