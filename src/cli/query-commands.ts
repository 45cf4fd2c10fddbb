import { type Command, defineCommand } from './command-line/command.ts';
import {
  checkSpec,
  compareSpec,
  completeSpec,
  explainSpec,
  formatSpec,
  translateSpec,
} from './specs/query-specs.ts';

// The commands of one folder share most modules and are loaded together: fewer files load faster.
const language = () => import('./commands/language-commands.ts');
const meaning = () => import('./commands/meaning-commands.ts');

/**
 * The commands on queries alone, in the order of the help. Editors, hooks and the completion of the shell call
 * them often, so they start without the specifications of all other commands.
 */
export const queryCommands: readonly Command[] = [
  defineCommand(checkSpec, async () => (await language()).checkCommand),
  defineCommand(formatSpec, async () => (await language()).formatCommand),
  defineCommand(explainSpec, async () => (await meaning()).explainCommand),
  defineCommand(compareSpec, async () => (await meaning()).compareCommand),
  defineCommand(translateSpec, async () => (await import('./commands/translate.ts')).translateCommand),
  defineCommand(completeSpec, async () => (await import('./commands/complete.ts')).completeCommand),
];
