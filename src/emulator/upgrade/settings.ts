import { settingIds, type Update, type UpgradeSetting, type Volume } from '../../protocol/index.ts';
import type { Release } from '../state/state.ts';
import { requiresLicense } from './releases.ts';

const volumes: readonly Volume[] = [
  { component: 'BLOB', provisioningType: 'DYNAMIC', size: '32Gi', storageClass: 'default', labels: {} },
  { component: 'SHARING', provisioningType: 'DYNAMIC', size: '16Gi', storageClass: 'default', labels: {} },
];

/** The settings that an upgrade to an update requires (section 2.6 of the interface document). A patch requires none. */
export function settingsOf(update: Update, from: Release): readonly UpgradeSetting[] {
  if (update.type !== 'release') return [];
  const license = requiresLicense(from.version, update.version ?? '') ? [licenseUpload] : [];
  return [updateToLatestPatch, ...license, volumesConfig].map((setting, at) => ({
    seqNum: at + 1,
    ...setting,
  }));
}

const updateToLatestPatch: UpgradeSetting = {
  id: settingIds.updateToLatestPatch,
  name: settingIds.updateToLatestPatch,
  description: 'update_to_latest_patch_desc',
  type: 'Boolean',
  value: true,
  defaultValue: true,
  required: false,
  newfield: '',
  isManagerInvisibleField: true,
};

const licenseUpload: UpgradeSetting = {
  id: settingIds.licenseUpload,
  name: settingIds.licenseUpload,
  description: 'license_upload_desc',
  type: 'File',
  value: '',
  required: true,
  newfield: '',
  validFileExtensions: ['json'],
};

const volumesConfig: UpgradeSetting = {
  id: settingIds.volumesConfig,
  name: settingIds.volumesConfig,
  description: 'volumes_config_desc',
  type: 'Text',
  value: JSON.stringify(volumes),
  defaultValue: JSON.stringify(volumes),
  required: false,
  newfield: '',
  orderedListofTemplates: '',
  templateName: 'volumes_config',
  isTemplateRequired: false,
};
