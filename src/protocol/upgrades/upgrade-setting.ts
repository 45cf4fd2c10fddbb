import * as v from 'valibot';

/**
 * One setting of an upgrade: an item of `userInputs` (section 2.6 of the
 * interface document). Members that are not known are kept, because all
 * settings are sent back with the upgrade.
 */
export interface UpgradeSetting {
  /** One of `settingIds`, or one that came later. */
  readonly id: string;
  /** The order among the settings. As all members it is kept as it came, a number or a text. */
  readonly seqNum?: number | string | null | undefined;
  /** The same as `id`. */
  readonly name?: string | null | undefined;
  /** A label for programs. */
  readonly description?: string | null | undefined;
  /** One of `settingTypes`. */
  readonly type?: string | null | undefined;
  readonly value?: boolean | string | number | null | undefined;
  readonly defaultValue?: boolean | string | number | null | undefined;
  /** See `isRequired`. */
  readonly required?: boolean | string | null | undefined;
  readonly [member: string]: unknown;
}

/** The settings that have been seen (section 2.6). */
export const settingIds = {
  /** Whether patches that come with a release are installed. Its value must stay `true`. */
  updateToLatestPatch: 'updateToLatestPatch',
  /** The identifier of the upload of a license file. */
  licenseUpload: 'licenseUpload',
  /** The volumes that the upgrade needs: a JSON list in a text. */
  volumesConfig: 'volumesConfig',
} as const;

/** The types of settings that have been seen (section 2.6). */
export const settingTypes = ['Boolean', 'File', 'Text'] as const;

const value = v.nullish(v.union([v.boolean(), v.string(), v.number()]));
const setting = v.looseObject({
  id: v.string(),
  seqNum: v.nullish(v.union([v.number(), v.string()])),
  name: v.nullish(v.string()),
  description: v.nullish(v.string()),
  type: v.nullish(v.string()),
  value,
  defaultValue: value,
  required: v.nullish(v.union([v.boolean(), v.string()])),
});
const settings = v.looseObject({ userInputs: v.array(setting) });

/** The settings in a body, in their order; undefined where the body is something else. An empty object has none. */
export function upgradeSettingsOf(body: unknown): readonly UpgradeSetting[] | undefined {
  if (!Array.isArray(body) && v.is(v.strictObject({}), body)) return [];
  const result = v.safeParse(settings, body);
  if (!result.success) return undefined;
  return result.output.userInputs.toSorted((a, b) => orderOf(a) - orderOf(b));
}

function orderOf({ seqNum }: UpgradeSetting): number {
  const order = Number(seqNum ?? 0);
  return Number.isNaN(order) ? 0 : order;
}

/** Whether a setting requires a value. */
export function isRequired({ required }: UpgradeSetting): boolean {
  return required === true || required === 'true';
}

/** The body that holds settings: the reply of `getUpgradeSettings` and the parameter `upgradeSettings`. */
export function toSettingsBody(userInputs: readonly UpgradeSetting[]): object {
  return { userInputs };
}

/** A volume that an upgrade needs: an element of the list in the text of `volumesConfig`. */
export interface Volume {
  /** Such as `BLOB` or `SHARING`. */
  readonly component: string;
  readonly labels?: Readonly<Record<string, string>> | undefined;
  /** Such as `DYNAMIC`. */
  readonly provisioningType?: string | undefined;
  /** With a unit. */
  readonly size?: string | undefined;
  readonly storageClass?: string | undefined;
  readonly [member: string]: unknown;
}

const volumes = v.array(
  v.looseObject({
    component: v.string(),
    labels: v.optional(v.record(v.string(), v.string())),
    provisioningType: v.optional(v.string()),
    size: v.optional(v.string()),
    storageClass: v.optional(v.string()),
  }),
);

/** The volumes in the text of `volumesConfig`; undefined where the text is no list of volumes. */
export function volumesOf(text: string): readonly Volume[] | undefined {
  try {
    const result = v.safeParse(volumes, JSON.parse(text));
    return result.success ? result.output : undefined;
  } catch {
    return undefined;
  }
}
