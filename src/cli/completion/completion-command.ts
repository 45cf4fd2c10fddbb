import type { Command, RunCommand } from '../command-line/command.ts';
import { exitCodes } from '../command-line/exit-code.ts';
import type { completionSpec } from '../specs/completion.ts';
import { bashScript } from './bash.ts';
import { fishScript } from './fish.ts';
import { type CompletionOffer, completionOffers } from './offers.ts';
import { zshScript } from './zsh.ts';

/** Prints the completion script of a shell for the given commands, or completes a query for it. */
export function completionCommand(commands: () => readonly Command[]): RunCommand<typeof completionSpec> {
  return async ({ arguments: { shell }, options: { line, rest = '', word = '' }, terminal }) => {
    if (line !== undefined) {
      // Loaded here, because a script needs none of it.
      const { queryLines } = await import('./query-lines.ts');
      const specs = commands().map(({ spec }) => spec);
      const lines = await queryLines({ shell, line, rest, word }, specs);
      await terminal.print(lines.map((each) => `${each}\n`).join(''));
      return exitCodes.done;
    }
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
