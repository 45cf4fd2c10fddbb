import { administrationCommands } from './administration-commands.ts';
import { type Command, toCommand } from './command-line/command.ts';
import { deploymentCommands } from './deployment-commands.ts';
import { histogramSpec, indexSpec, topSpec, traceSpec, verifySpec } from './specs/analysis.ts';
import { completionSpec } from './specs/completion.ts';
import { coverageSpec } from './specs/coverage.ts';
import { demoSpec, emulateSpec } from './specs/deployment.ts';
import { handOverSpec, sealSpec } from './specs/evidence.ts';
import { checkSpec, formatSpec } from './specs/language.ts';
import { exportSpec, importSpec, searchSpec, sqlSpec } from './specs/logs.ts';
import { compareSpec, completeSpec, explainSpec, translateSpec } from './specs/meaning.ts';

// Commands that need the same are loaded together: few files are read sooner than many.
const forLanguage = () => import('./commands/for-language.ts');
const forMeaning = () => import('./commands/for-meaning.ts');
const forCases = () => import('./commands/for-cases.ts');
const forDeployments = () => import('./commands/for-deployments.ts');

/** Every command, in the order of the help. What runs one is loaded when it is called. */
export const commands: readonly Command[] = [
  toCommand(checkSpec, async () => (await forLanguage()).check),
  toCommand(formatSpec, async () => (await forLanguage()).format),
  toCommand(explainSpec, async () => (await forMeaning()).explain),
  toCommand(compareSpec, async () => (await forMeaning()).compare),
  toCommand(translateSpec, async () => (await forMeaning()).translate),
  toCommand(completeSpec, async () => (await forMeaning()).complete),
  toCommand(exportSpec, async () => (await forDeployments()).exportLogs),
  toCommand(coverageSpec, async () => (await import('./commands/coverage.ts')).coverage),
  toCommand(importSpec, async () => (await forCases()).importFiles),
  toCommand(indexSpec, async () => (await forCases()).index),
  toCommand(verifySpec, async () => (await import('./commands/verify.ts')).verify),
  toCommand(sealSpec, async () => (await import('./commands/seal.ts')).seal),
  toCommand(handOverSpec, async () => (await import('./commands/hand-over.ts')).handOver),
  toCommand(searchSpec, async () => (await forCases()).search),
  toCommand(traceSpec, async () => (await forCases()).trace),
  toCommand(histogramSpec, async () => (await forCases()).histogram),
  toCommand(topSpec, async () => (await forCases()).top),
  // By itself: its own process does without the driver of the database.
  toCommand(sqlSpec, async () => (await import('./commands/sql.ts')).sql),
  ...deploymentCommands,
  ...administrationCommands,
  toCommand(emulateSpec, async () => (await forDeployments()).emulate),
  toCommand(demoSpec, async () => (await forDeployments()).demo),
  toCommand(completionSpec, async () =>
    (await import('./commands/completion.ts')).completionOf(() => commands),
  ),
];
