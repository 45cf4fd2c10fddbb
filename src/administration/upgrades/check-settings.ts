import { isRequired, settingIds, type UpgradeSetting, volumesOf } from '../../protocol/index.ts';
import { isSame } from '../json.ts';
import { memoryOf } from '../quantity.ts';

/** Every problem that the settings of an upgrade can have before they are sent. The codes are stable. */
export const settingFindingCodes = {
  'license-missing': 'The license has to be uploaded first',
  'fixed-setting': 'A setting whose value must stay as it is differs',
  'value-missing': 'A setting that is required has no value',
  'value-type': 'A value is not of the type of its setting',
  volumes: 'The volumes cannot be read, or name no size',
  'setting-missing': 'A setting that the deployment gave is not among those to be sent',
  'setting-changed': 'A part of a setting beside its value differs from what the deployment gave',
} as const;

export type SettingFindingCode = keyof typeof settingFindingCodes;

/** Something to tell the one who fills in the settings. A value: never thrown. */
export interface SettingFinding {
  readonly code: SettingFindingCode;
  readonly severity: 'error' | 'warning';
  /** The identifier of the setting, and where in it, as `volumesConfig[0].size`. */
  readonly path: string;
  /** One sentence without a final stop. */
  readonly message: string;
}

/**
 * Checks the settings of an upgrade before they are sent (section 2.6 of the
 * interface document). With the settings as the deployment gave them, what is
 * missing or differs beside the values is found as well.
 */
export function checkSettings(
  settings: readonly UpgradeSetting[],
  original: readonly UpgradeSetting[] = [],
): readonly SettingFinding[] {
  return [
    ...settings.flatMap((setting) => valueFindings(setting)),
    ...original.flatMap((before) => differences(before, settings)),
  ];
}

function valueFindings(setting: UpgradeSetting): readonly SettingFinding[] {
  switch (setting.id) {
    case settingIds.updateToLatestPatch:
      return checkLatestPatch(setting);
    case settingIds.licenseUpload:
      return checkLicense(setting);
    case settingIds.volumesConfig:
      return isEmpty(setting) ? checkRequired(setting) : checkVolumes(setting);
    default:
      return checkOther(setting);
  }
}

function checkLatestPatch({ id, value }: UpgradeSetting): readonly SettingFinding[] {
  if (value === true || value === 'true') return [];
  return [error('fixed-setting', id, `"${id}" requires the value true, which must not be changed`)];
}

function checkLicense({ id, value }: UpgradeSetting): readonly SettingFinding[] {
  if (typeof value === 'string' && value.trim() !== '') return [];
  const message = `"${id}" requires the identifier of an uploaded license file: upload it first`;
  return [error('license-missing', id, message)];
}

function checkRequired(setting: UpgradeSetting): readonly SettingFinding[] {
  if (!isRequired(setting) || !isEmpty(setting)) return [];
  return [error('value-missing', setting.id, `"${setting.id}" requires a value`)];
}

function checkOther(setting: UpgradeSetting): readonly SettingFinding[] {
  const { id, type, value } = setting;
  const isBoolean = typeof value === 'boolean' || value === 'true' || value === 'false';
  if (type === 'Boolean' && !isEmpty(setting) && !isBoolean) {
    return [error('value-type', id, `"${id}" requires true or false`)];
  }
  return checkRequired(setting);
}

function checkVolumes({ id, value }: UpgradeSetting): readonly SettingFinding[] {
  const volumes = volumesOf(String(value));
  if (!volumes) {
    return [
      error(
        'volumes',
        id,
        `"${id}" requires a text that holds a JSON list of volumes, each with its "component"`,
      ),
    ];
  }
  return volumes.flatMap(({ component, size }, at) => {
    if (size !== undefined && memoryOf(size) !== undefined) return [];
    const message = `The volume of "${component}" requires a size with a unit, such as "20Gi"`;
    return [error('volumes', `${id}[${at}].size`, message)];
  });
}

function isEmpty({ value }: UpgradeSetting): boolean {
  return value === undefined || value === null || value === '';
}

function differences(before: UpgradeSetting, settings: readonly UpgradeSetting[]): readonly SettingFinding[] {
  const now = settings.find(({ id }) => id === before.id);
  if (!now)
    return [error('setting-missing', before.id, `"${before.id}" is missing: all settings are sent back`)];
  if (isSame({ ...now, value: undefined }, { ...before, value: undefined })) return [];
  const message = `"${before.id}" differs in more than its value from what the deployment gave`;
  return [{ code: 'setting-changed', severity: 'warning', path: before.id, message }];
}

function error(code: SettingFindingCode, path: string, message: string): SettingFinding {
  return { code, severity: 'error', path, message };
}

/** The settings with the identifier of the upload of a license filled in; as they are where none is asked for. */
export function withLicense(settings: readonly UpgradeSetting[], upload: string): readonly UpgradeSetting[] {
  return settings.map((setting) =>
    setting.id === settingIds.licenseUpload ? { ...setting, value: upload } : setting,
  );
}
