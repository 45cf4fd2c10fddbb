import { choiceArgument } from '../command-line/argument.ts';
import type { CommandSpec } from '../command-line/command.ts';

/** Arguments and options of `logquarry completion`. */
export const completionSpec = {
  name: 'completion',
  summary: 'Print a shell completion script for commands, options and files',
  arguments: { shell: choiceArgument('The shell', ['bash', 'zsh', 'fish']) },
  options: {},
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
