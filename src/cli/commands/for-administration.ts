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
  upgradeLicense,
  upgradeRollbackOptions,
  upgradeSettings,
  upgradeStart,
  upgradeWatch,
} from './upgrade.ts';
