/** The operations and resources of the deployment, by the names that faults and logs know them by. */
export const operationNames = [
  'generateToken',
  'revokeToken',
  'self',
  'catalog',
  'directory',
  'signIn',
  'signOut',
  'exportLogs',
  'countLogs',
  'job',
  'uploadFile',
  'upload',
  'download',
  'templates',
  'template',
  'editTemplate',
  'upgrades',
  'available',
  'getUpgradeSettings',
  'checkRollback',
  'upgrade',
] as const;

/** The name of an operation or resource. */
export type OperationName = (typeof operationNames)[number];
