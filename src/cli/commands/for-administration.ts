export { catalogFolders, catalogInfo, catalogServices } from './catalog.ts';
export { profileAdd, profileList, profileRemove, profileUse } from './profile.ts';
export {
  propertiesCheck,
  propertiesDiff,
  propertiesEdit,
  propertiesList,
  propertiesShow,
} from './properties.ts';
export { signIn, signOut } from './sign-in.ts';
export {
  upgradeAvailable,
  upgradeCheck,
  upgradeInstalled,
  upgradeLicense,
  upgradeRollbackOptions,
  upgradeSettings,
} from './upgrade.ts';
export { upgradeRollback } from './upgrade-rollback.ts';
export { upgradeStart, upgradeWatch } from './upgrade-start.ts';
