export { catalogFoldersCommand, catalogInfoCommand, catalogServicesCommand } from './catalog.ts';
export { profileAddCommand, profileListCommand, profileRemoveCommand, profileUseCommand } from './profile.ts';
export {
  propertiesCheckCommand,
  propertiesDiffCommand,
  propertiesEditCommand,
  propertiesListCommand,
  propertiesShowCommand,
} from './properties.ts';
export { signInCommand, signOutCommand } from './sign-in.ts';
export {
  upgradeAvailableCommand,
  upgradeCheckCommand,
  upgradeInstalledCommand,
  upgradeLicenseCommand,
  upgradeRollbackCommand,
  upgradeRollbackOptionsCommand,
  upgradeSettingsCommand,
  upgradeStartCommand,
  upgradeWatchCommand,
} from './upgrade.ts';
