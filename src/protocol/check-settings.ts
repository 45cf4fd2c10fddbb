import { ExactNumber, isObject, isSameNumber } from '../records/index.ts';
import { lenientText } from './reply.ts';
import { isRequired, settingIds, type UpgradeSetting, type Volume, volumesOf } from './upgrades.ts';

/** Codes of problems with the settings of an upgrade before they are sent. The codes are stable. */
export const settingFindingCodes = {
  'license-missing': 'The license has to be uploaded first',
  'fixed-setting': 'A setting whose value must stay as it is differs',
  'value-missing': 'A setting that is required has no value',
  'value-type': 'A value is not of the type of its setting',
  volumes: 'The volumes cannot be read, or the size of one is missing or written in another way',
  'setting-missing': 'A setting that the deployment gave is not among those to be sent',
  'setting-changed': 'A part of a setting beside its value differs from what the deployment gave',
} as const;

export type SettingFindingCode = keyof typeof settingFindingCodes;

/** A finding for the author of the settings. A value: never thrown. */
export interface SettingFinding {
  readonly code: SettingFindingCode;
  readonly severity: 'error' | 'warning';
  /** The identifier of the setting and the position in it, as `volumesConfig[0].size`. */
  readonly path: string;
  /** One sentence without a final stop. */
  readonly message: string;
}

/**
 * Checks the settings of an upgrade before they are sent (section 2.6 of the interface document). With the
 * original settings, also finds missing settings and changes beside the values. A finding about a value of the
 * deployment is a warning, except for a missing required value.
 *
 * ```ts
 * const settings = await getUpgradeSettings(client, 'update');
 * for (const { message } of checkSettings(settings)) console.warn(message);
 * ```
 */
export function checkSettings(
  settings: readonly UpgradeSetting[],
  original: readonly UpgradeSetting[] = [],
): readonly SettingFinding[] {
  return [
    ...settings.flatMap((setting) => valueFindings(setting, initialValue(setting, original))),
    ...original.flatMap((before) => differences(before, settings)),
  ];
}

/** The value that the deployment gave: that of the original, else the default in the setting. */
function initialValue({ id, defaultValue }: UpgradeSetting, original: readonly UpgradeSetting[]): unknown {
  const before = original.find((setting) => setting.id === id);
  return before ? before.value : defaultValue;
}

function valueFindings(setting: UpgradeSetting, initial: unknown): readonly SettingFinding[] {
  const { id, value } = setting;
  if (id === settingIds.licenseUpload) return checkLicense(setting);
  if (isEmpty(value) && id !== settingIds.updateToLatestPatch) return checkRequired(setting);
  const found = checkValue(setting, initial);
  return isSameJson(value, initial)
    ? found.map((finding) => ({ ...finding, severity: 'warning' as const }))
    : found;
}

function checkValue(setting: UpgradeSetting, initial: unknown): readonly SettingFinding[] {
  if (setting.id === settingIds.updateToLatestPatch) return checkLatestPatch(setting);
  return setting.id === settingIds.volumesConfig ? checkVolumes(setting, initial) : checkType(setting);
}

function checkLatestPatch({ id, value }: UpgradeSetting): readonly SettingFinding[] {
  if (value === true || value === 'true') return [];
  return [error('fixed-setting', id, `"${id}" requires the value true, which must not be changed`)];
}

function checkLicense(setting: UpgradeSetting): readonly SettingFinding[] {
  const { id, value } = setting;
  const required = isRequired(setting);
  if ((lenientText(value) ?? '').trim() !== '' || required === false) return [];
  const message = `"${id}" requires the identifier of an uploaded license file: upload it first`;
  return [{ ...error('license-missing', id, message), severity: required ? 'error' : 'warning' }];
}

function checkRequired(setting: UpgradeSetting): readonly SettingFinding[] {
  if (!isRequired(setting)) return [];
  return [error('value-missing', setting.id, `"${setting.id}" requires a value`)];
}

function checkType({ id, type, value }: UpgradeSetting): readonly SettingFinding[] {
  const isBoolean = typeof value === 'boolean' || value === 'true' || value === 'false';
  if (type !== 'Boolean' || isBoolean) return [];
  return [error('value-type', id, `"${id}" requires true or false`)];
}

function checkVolumes({ id, value }: UpgradeSetting, initial: unknown): readonly SettingFinding[] {
  const volumes = volumesOf(value);
  if (!volumes) {
    const rule = 'requires a text that holds a JSON list of volumes, each with its "component"';
    return [error('volumes', id, `"${id}" ${rule}`)];
  }
  const before = volumesOf(initial) ?? [];
  return volumes.flatMap((volume, at) => {
    const [message, severity] = sizeProblem(volume, before) ?? [];
    return message && severity
      ? [{ code: 'volumes' as const, severity, path: `${id}[${at}].size`, message }]
      : [];
  });
}

/** Problem of the size of a volume, with its severity. */
function sizeProblem(
  { component, size }: Volume,
  before: readonly Volume[],
): readonly [message: string, severity: SettingFinding['severity']] | undefined {
  const text = lenientText(size);
  if (text !== undefined && memoryOf(text) !== undefined) return undefined;
  if (text === undefined)
    return [`The volume of "${component}" has no size: the deployment takes its own`, 'warning'];
  const usual = spelledSize(text);
  if (usual !== undefined)
    return [`The size "${text}" of the volume of "${component}" is usually written as "${usual}"`, 'warning'];
  const isGiven = before.some((volume) => volume.component === component && isSameJson(volume.size, size));
  const message = `The volume of "${component}" requires a size with a unit, such as "20Gi", unlike "${text}"`;
  return [message, isGiven ? 'warning' : 'error'];
}

/** Converts a size such as `32 GiB` to the spelling of Kubernetes; undefined if the text is none. */
function spelledSize(text: string): string | undefined {
  const [, number = '', letter = '', binary = ''] =
    /^\s*(\d+(?:\.\d+)?)\s*([kmgtpe])(i?)b?\s*$/i.exec(text) ?? [];
  const isThousand = /k/i.test(letter) && binary === '';
  const usual = number + (isThousand ? 'k' : letter.toUpperCase()) + binary.toLowerCase();
  return memoryOf(usual) === undefined ? undefined : usual;
}

function isEmpty(value: unknown): boolean {
  return value === undefined || value === null || value === '';
}

function differences(before: UpgradeSetting, settings: readonly UpgradeSetting[]): readonly SettingFinding[] {
  const now = settings.find(({ id }) => id === before.id);
  if (!now)
    return [error('setting-missing', before.id, `"${before.id}" is missing: all settings are sent back`)];
  if (isSameJson({ ...now, value: undefined }, { ...before, value: undefined })) return [];
  const message = `"${before.id}" differs in more than its value from what the deployment gave`;
  return [{ code: 'setting-changed', severity: 'warning', path: before.id, message }];
}

function error(code: SettingFindingCode, path: string, message: string): SettingFinding {
  return { code, severity: 'error', path, message };
}

/**
 * Fills in the upload identifier of a license. Returns the same values if no license is requested.
 *
 * ```ts
 * const settings = await getUpgradeSettings(client, 'update');
 * withLicense(settings, 'upload');
 * ```
 */
export function withLicense(settings: readonly UpgradeSetting[], upload: string): readonly UpgradeSetting[] {
  return settings.map((setting) =>
    setting.id === settingIds.licenseUpload ? { ...setting, value: upload } : setting,
  );
}

/**
 * True if two JSON values are equal, in any order of members and any spelling of a number. An absent member
 * equals an undefined one.
 *
 * ```ts
 * isSameJson({ min: 1, labels: ['a'] }, { labels: ['a'], min: new ExactNumber('1.0') }); // true
 * ```
 */
export function isSameJson(a: unknown, b: unknown): boolean {
  if (Array.isArray(a) && Array.isArray(b)) {
    return a.length === b.length && a.every((item, at) => isSameJson(item, b[at]));
  }
  if (isObject(a) && isObject(b)) {
    return [...new Set([...Object.keys(a), ...Object.keys(b)])].every((key) => isSameJson(a[key], b[key]));
  }
  const [one, other] = [numeralOf(a), numeralOf(b)];
  return one !== undefined && other !== undefined ? isSameNumber(one, other) : a === b;
}

/** JSON text of a number; undefined for other values. */
function numeralOf(value: unknown): string | undefined {
  if (value instanceof ExactNumber) return value.text;
  return typeof value === 'number' ? String(value) : undefined;
}

/**
 * A quantity of memory or processors as an exact whole number of billionths: of a byte, or of a processor.
 * Equal amounts in different spellings are equal.
 */
export type Quantity = bigint;

const billion = 1_000_000_000n;

/** The units of memory in bytes: powers of 1024 and powers of 1000. */
const units: ReadonlyMap<string, bigint> = new Map([
  ['', 1n],
  ...['Ki', 'Mi', 'Gi', 'Ti', 'Pi', 'Ei'].map((unit, at) => [unit, 1024n ** BigInt(at + 1)] as const),
  ...['k', 'M', 'G', 'T', 'P', 'E'].map((unit, at) => [unit, 1000n ** BigInt(at + 1)] as const),
]);

/**
 * Reads a quantity of memory such as `500Mi` or `2Gi`; undefined if the text is none.
 *
 * ```ts
 * memoryOf('512Mi'); // 536870912n
 * ```
 */
export function memoryOf(text: string): Quantity | undefined {
  const [, number = '', unit = ''] = /^([\d.]+)([A-Za-z]*)$/.exec(text) ?? [];
  const amount = decimalOf(number);
  const bytes = units.get(unit);
  return amount === undefined || bytes === undefined ? undefined : amount * bytes;
}

/**
 * Reads a count of processors such as `0.125` or, in thousandths, `125m`; undefined if the text is none.
 *
 * ```ts
 * processorsOf('500m');
 * ```
 */
export function processorsOf(text: string): Quantity | undefined {
  if (!text.endsWith('m')) return decimalOf(text);
  const thousandths = decimalOf(text.slice(0, -1));
  return thousandths === undefined ? undefined : thousandths / 1000n;
}

function decimalOf(text: string): Quantity | undefined {
  const [, whole, fraction = ''] = /^(\d{1,15})(?:\.(\d{1,9}))?$/.exec(text) ?? [];
  return whole === undefined ? undefined : BigInt(whole) * billion + BigInt(fraction.padEnd(9, '0'));
}

/** True if a quantity of memory has a unit. Without one it counts bytes, which is rarely intended. */
export function namesUnit(text: string): boolean {
  return /[A-Za-z]$/.test(text);
}
