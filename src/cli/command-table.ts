import { type Command, defineCommand } from './command-line/command.ts';
import { whileOpening } from './files/opening-cases.ts';
import { queryCommands } from './query-commands.ts';
import { histogramSpec, indexSpec, overviewSpec, topSpec, traceSpec, verifySpec } from './specs/analysis.ts';
import { catalogFoldersSpec, catalogInfoSpec, catalogServicesSpec } from './specs/catalog.ts';
import { clusterInitSpec, clusterPushSpec, clusterStatusSpec } from './specs/cluster.ts';
import { completionSpec } from './specs/completion.ts';
import { configSpec } from './specs/configuration.ts';
import { coverageSpec } from './specs/coverage.ts';
import { demoSpec, emulateSpec } from './specs/deployment.ts';
import { logsQuerySpec, logsSearchSpec, logsSettingsSpec } from './specs/deployment-logs.ts';
import { detectSpec } from './specs/detect.ts';
import { handOverSpec, sealSpec } from './specs/evidence.ts';
import { gapsSpec } from './specs/gaps.ts';
import { investigateSpec } from './specs/investigate.ts';
import { exportSpec, importSpec, searchSpec, sqlSpec } from './specs/logs.ts';
import { noteAddSpec, noteEditSpec, noteListSpec, noteRemoveSpec } from './specs/note.ts';
import { diffSpec, patternsSpec } from './specs/patterns.ts';
import { profileAddSpec, profileListSpec, profileRemoveSpec, profileUseSpec } from './specs/profile.ts';
import {
  propertiesCheckSpec,
  propertiesDiffSpec,
  propertiesEditSpec,
  propertiesListSpec,
  propertiesShowSpec,
} from './specs/properties.ts';
import { redactSpec } from './specs/redact.ts';
import { reportSpec } from './specs/report.ts';
import {
  healthSpec,
  jobsListSpec,
  jobsShowSpec,
  uploadsAddSpec,
  uploadsDeleteSpec,
  uploadsListSpec,
  uploadsShowSpec,
} from './specs/resources.ts';
import { savedAddSpec, savedListSpec, savedRemoveSpec } from './specs/saved.ts';
import { servicesSpec } from './specs/services.ts';
import { sessionsSpec } from './specs/sessions.ts';
import { showSpec } from './specs/show.ts';
import { signInSpec, signOutSpec } from './specs/sign-in.ts';
import { suggestSpec } from './specs/suggest.ts';
import {
  upgradeAvailableSpec,
  upgradeCheckSpec,
  upgradeInstalledSpec,
  upgradeLicenseSpec,
  upgradeRollbackOptionsSpec,
  upgradeSettingsSpec,
  upgradeStartSpec,
  upgradeWatchSpec,
} from './specs/upgrade.ts';
import { upgradeRollbackSpec } from './specs/upgrade-rollback.ts';
import { uiSpec } from './ui/ui-spec.ts';

// The commands of one folder are loaded together: fewer files load faster.
const cases = () => import('./commands/cases-commands.ts');
const analysis = () => import('./commands/analysis-commands.ts');
const clusters = () => import('./commands/cluster.ts');
const deployments = () => import('./commands/deployments-commands.ts');
const notes = () => import('./commands/note.ts');
const saved = () => import('./commands/saved.ts');
const operations = () => import('./commands/operations-commands.ts');
const administration = () => import('./commands/administration-commands.ts');

/**
 * All commands, in the order of the help. Parser, help, manual and shell completion are made from this
 * list; the code of a command is loaded on its call.
 */
export const commands: readonly Command[] = [
  ...queryCommands,
  defineCommand(suggestSpec, async () => (await analysis()).suggestCommand),
  defineCommand(exportSpec, async () => (await deployments()).exportCommand),
  defineCommand(coverageSpec, async () => (await import('./commands/coverage.ts')).coverageCommand),
  defineCommand(importSpec, async () => (await cases()).importCommand),
  defineCommand(indexSpec, async () => (await cases()).indexCommand),
  defineCommand(verifySpec, async () => (await import('./commands/verify.ts')).verifyCommand),
  defineCommand(sealSpec, async () => (await import('./commands/seal.ts')).sealCommand),
  defineCommand(handOverSpec, async () => (await import('./commands/hand-over.ts')).handOverCommand),
  defineCommand(overviewSpec, async () => (await cases()).overviewCommand),
  defineCommand(uiSpec, async () => (await import('./commands/ui.ts')).uiCommandOf(commands)),
  defineCommand(investigateSpec, async () => (await analysis()).investigateCommand),
  defineCommand(searchSpec, async () => whileOpening(async () => (await cases()).searchCommand)),
  defineCommand(showSpec, async () => (await import('./commands/show.ts')).showCommand),
  defineCommand(traceSpec, async () => (await cases()).traceCommand),
  defineCommand(histogramSpec, async () => whileOpening(async () => (await cases()).histogramCommand)),
  defineCommand(topSpec, async () => whileOpening(async () => (await cases()).topCommand)),
  defineCommand(patternsSpec, async () => (await analysis()).patternsCommand),
  defineCommand(diffSpec, async () => (await analysis()).diffCommand),
  defineCommand(gapsSpec, async () => (await analysis()).gapsCommand),
  defineCommand(servicesSpec, async () => (await analysis()).servicesCommand),
  defineCommand(sessionsSpec, async () => (await analysis()).sessionsCommand),
  defineCommand(detectSpec, async () => (await analysis()).detectCommand),
  defineCommand(noteAddSpec, async () => (await notes()).noteAddCommand),
  defineCommand(noteListSpec, async () => (await notes()).noteListCommand),
  defineCommand(noteEditSpec, async () => (await notes()).noteEditCommand),
  defineCommand(noteRemoveSpec, async () => (await notes()).noteRemoveCommand),
  defineCommand(savedAddSpec, async () => (await saved()).savedAddCommand),
  defineCommand(savedListSpec, async () => (await saved()).savedListCommand),
  defineCommand(savedRemoveSpec, async () => (await saved()).savedRemoveCommand),
  defineCommand(reportSpec, async () => (await import('./commands/report.ts')).reportCommand),
  defineCommand(redactSpec, async () => (await import('./commands/redact.ts')).redactCommand),
  // Loaded separately: the SQL runs in a child process, so this one works without the database driver.
  defineCommand(sqlSpec, async () => (await import('./commands/sql.ts')).sqlCommand),
  defineCommand(clusterInitSpec, async () => (await clusters()).clusterInitCommand),
  defineCommand(clusterPushSpec, async () => (await clusters()).clusterPushCommand),
  defineCommand(clusterStatusSpec, async () => (await clusters()).clusterStatusCommand),
  defineCommand(logsSettingsSpec, async () => (await operations()).logsSettingsCommand),
  defineCommand(logsQuerySpec, async () => (await operations()).logsQueryCommand),
  defineCommand(logsSearchSpec, async () => (await operations()).logsSearchCommand),
  defineCommand(jobsListSpec, async () => (await operations()).jobsListCommand),
  defineCommand(jobsShowSpec, async () => (await operations()).jobsShowCommand),
  defineCommand(uploadsListSpec, async () => (await operations()).uploadsListCommand),
  defineCommand(uploadsShowSpec, async () => (await operations()).uploadsShowCommand),
  defineCommand(uploadsAddSpec, async () => (await operations()).uploadsAddCommand),
  defineCommand(uploadsDeleteSpec, async () => (await operations()).uploadsDeleteCommand),
  defineCommand(healthSpec, async () => (await operations()).healthCommand),
  defineCommand(catalogInfoSpec, async () => (await administration()).catalogInfoCommand),
  defineCommand(catalogFoldersSpec, async () => (await administration()).catalogFoldersCommand),
  defineCommand(catalogServicesSpec, async () => (await administration()).catalogServicesCommand),
  defineCommand(propertiesListSpec, async () => (await administration()).propertiesListCommand),
  defineCommand(propertiesShowSpec, async () => (await administration()).propertiesShowCommand),
  defineCommand(propertiesCheckSpec, async () => (await administration()).propertiesCheckCommand),
  defineCommand(propertiesDiffSpec, async () => (await administration()).propertiesDiffCommand),
  defineCommand(propertiesEditSpec, async () => (await administration()).propertiesEditCommand),
  defineCommand(upgradeAvailableSpec, async () => (await administration()).upgradeAvailableCommand),
  defineCommand(upgradeInstalledSpec, async () => (await administration()).upgradeInstalledCommand),
  defineCommand(upgradeSettingsSpec, async () => (await administration()).upgradeSettingsCommand),
  defineCommand(upgradeCheckSpec, async () => (await administration()).upgradeCheckCommand),
  defineCommand(upgradeLicenseSpec, async () => (await administration()).upgradeLicenseCommand),
  defineCommand(
    upgradeRollbackOptionsSpec,
    async () => (await administration()).upgradeRollbackOptionsCommand,
  ),
  defineCommand(upgradeRollbackSpec, async () => (await administration()).upgradeRollbackCommand),
  defineCommand(upgradeStartSpec, async () => (await administration()).upgradeStartCommand),
  defineCommand(upgradeWatchSpec, async () => (await administration()).upgradeWatchCommand),
  defineCommand(signInSpec, async () => (await administration()).signInCommand),
  defineCommand(signOutSpec, async () => (await administration()).signOutCommand),
  defineCommand(profileListSpec, async () => (await administration()).profileListCommand),
  defineCommand(profileAddSpec, async () => (await administration()).profileAddCommand),
  defineCommand(profileUseSpec, async () => (await administration()).profileUseCommand),
  defineCommand(profileRemoveSpec, async () => (await administration()).profileRemoveCommand),
  defineCommand(configSpec, async () =>
    (await import('./configuration/config-command.ts')).configCommand(() => commands),
  ),
  defineCommand(emulateSpec, async () => (await deployments()).emulateCommand),
  defineCommand(demoSpec, async () => (await deployments()).demoCommandOf(commands)),
  defineCommand(completionSpec, async () =>
    (await import('./completion/completion-command.ts')).completionCommand(() => commands),
  ),
];
