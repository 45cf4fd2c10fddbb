import { choiceArgument } from '../command-line/argument.ts';
import type { CommandSpec } from '../command-line/command.ts';
import { textOption } from '../command-line/option.ts';

/** Arguments and options of `logquarry completion`. */
export const completionSpec = {
  name: 'completion',
  summary: 'Print a shell completion script for commands, options, queries and files',
  details: [
    'With the script, Tab completes queries too: fields, values and operators. A case or small log file on the command line, also behind the cursor, gives the values of a field.',
  ],
  arguments: { shell: choiceArgument('The shell', ['bash', 'zsh', 'fish']) },
  options: {
    line: textOption(
      'TEXT',
      'Print completions of the query at the end of this command line, as the script does',
    ),
    rest: textOption('TEXT', 'Command line after the cursor; names cases with values to suggest'),
    word: textOption('TEXT', 'End of the word that bash replaces'),
  },
  requires: { rest: 'line', word: 'line' },
  examples: [
    {
      run: 'logquarry completion bash > ~/.local/share/bash-completion/completions/logquarry',
      about: 'once, for bash',
    },
    {
      run: 'logquarry completion fish > ~/.config/fish/completions/logquarry.fish',
      about: 'once, for fish',
    },
  ],
} as const satisfies CommandSpec;
