import { type Command, toCommand } from './command-line/command.ts';
import { catalogFoldersSpec, catalogInfoSpec, catalogServicesSpec } from './specs/catalog.ts';
import { profileAddSpec, profileListSpec, profileRemoveSpec, profileUseSpec } from './specs/profile.ts';
import {
  propertiesCheckSpec,
  propertiesDiffSpec,
  propertiesEditSpec,
  propertiesListSpec,
  propertiesShowSpec,
} from './specs/properties.ts';
import { signInSpec, signOutSpec } from './specs/sign-in.ts';
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

const load = () => import('./commands/for-administration.ts');

/** The commands for the deployment's administration beside its logs, in the order of the help. */
export const administrationCommands: readonly Command[] = [
  toCommand(catalogInfoSpec, async () => (await load()).catalogInfo),
  toCommand(catalogFoldersSpec, async () => (await load()).catalogFolders),
  toCommand(catalogServicesSpec, async () => (await load()).catalogServices),
  toCommand(propertiesListSpec, async () => (await load()).propertiesList),
  toCommand(propertiesShowSpec, async () => (await load()).propertiesShow),
  toCommand(propertiesCheckSpec, async () => (await load()).propertiesCheck),
  toCommand(propertiesDiffSpec, async () => (await load()).propertiesDiff),
  toCommand(propertiesEditSpec, async () => (await load()).propertiesEdit),
  toCommand(upgradeAvailableSpec, async () => (await load()).upgradeAvailable),
  toCommand(upgradeInstalledSpec, async () => (await load()).upgradeInstalled),
  toCommand(upgradeSettingsSpec, async () => (await load()).upgradeSettings),
  toCommand(upgradeCheckSpec, async () => (await load()).upgradeCheck),
  toCommand(upgradeLicenseSpec, async () => (await load()).upgradeLicense),
  toCommand(upgradeRollbackOptionsSpec, async () => (await load()).upgradeRollbackOptions),
  toCommand(upgradeRollbackSpec, async () => (await load()).upgradeRollback),
  toCommand(upgradeStartSpec, async () => (await load()).upgradeStart),
  toCommand(upgradeWatchSpec, async () => (await load()).upgradeWatch),
  toCommand(signInSpec, async () => (await load()).signIn),
  toCommand(signOutSpec, async () => (await load()).signOut),
  toCommand(profileListSpec, async () => (await load()).profileList),
  toCommand(profileAddSpec, async () => (await load()).profileAdd),
  toCommand(profileUseSpec, async () => (await load()).profileUse),
  toCommand(profileRemoveSpec, async () => (await load()).profileRemove),
];
