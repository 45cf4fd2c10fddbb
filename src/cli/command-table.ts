import { type Command, toCommand } from './command.ts';
import { demoSpec, emulateSpec } from './specs/deployment.ts';
import { checkSpec, formatSpec } from './specs/language.ts';
import { exportSpec, importSpec, searchSpec, sqlSpec } from './specs/logs.ts';
import { compareSpec, explainSpec, translateSpec } from './specs/meaning.ts';

/** Every command, in the order of the help. What runs one is loaded when it is called. */
export const commands: readonly Command[] = [
  toCommand(checkSpec, async () => (await import('./commands/check.ts')).check),
  toCommand(formatSpec, async () => (await import('./commands/format.ts')).format),
  toCommand(explainSpec, async () => (await import('./commands/explain.ts')).explain),
  toCommand(compareSpec, async () => (await import('./commands/compare.ts')).compare),
  toCommand(translateSpec, async () => (await import('./commands/translate.ts')).translate),
  toCommand(exportSpec, async () => (await import('./commands/export.ts')).exportLogs),
  toCommand(importSpec, async () => (await import('./commands/import.ts')).importFiles),
  toCommand(searchSpec, async () => (await import('./commands/search.ts')).search),
  toCommand(sqlSpec, async () => (await import('./commands/sql.ts')).sql),
  toCommand(emulateSpec, async () => (await import('./commands/emulate.ts')).emulate),
  toCommand(demoSpec, async () => (await import('./commands/demo.ts')).demo),
];
