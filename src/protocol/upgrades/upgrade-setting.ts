import * as v from 'valibot';
import { readExactJson } from '../../records/index.ts';
import { lenientFlag, lenientNumber, lenientText, type Numeric } from '../lenient.ts';

/**
 * One setting of an upgrade: an item of `userInputs` (section 2.6 of the interface document). All settings are
 * sent back with the upgrade, so unknown members and all spellings are kept.
 */
export interface UpgradeSetting {
  /** One of `settingIds`, or a later one. */
  readonly id: string;
  /** The order among the settings. */
  readonly seqNum?: Numeric | null | undefined;
  /** The same as `id`. */
  readonly name?: string | null | undefined;
  /** A label for programs. */
  readonly description?: string | null | undefined;
  /** One of `settingTypes`. */
  readonly type?: string | null | undefined;
  /** A truth value or a text. */
  readonly value?: unknown;
  readonly defaultValue?: unknown;
  /** Also as a text; `isRequired` reads it. */
  readonly required?: boolean | string | null | undefined;
  readonly [member: string]: unknown;
}

/** The known settings (section 2.6). */
export const settingIds = {
  /** Installs the patches of a release. Its value must stay `true`. */
  updateToLatestPatch: 'updateToLatestPatch',
  /** The identifier of the upload of a license file. */
  licenseUpload: 'licenseUpload',
  /** The volumes that the upgrade needs: a JSON list in a text. */
  volumesConfig: 'volumesConfig',
} as const;

/** The known types of settings (section 2.6). */
export const settingTypes = ['Boolean', 'File', 'Text'] as const;

const name = v.pipe(v.string(), v.nonEmpty());
const setting = v.looseObject({
  id: name,
  name: v.nullish(v.string()),
  seqNum: v.nullish(v.custom<Numeric>((value) => lenientNumber(value) !== undefined)),
  description: v.nullish(v.string()),
  type: v.nullish(v.string()),
  required: v.nullish(v.union([v.boolean(), v.string()])),
});
const settings = v.looseObject({ userInputs: v.array(v.looseObject({})) });

/**
 * Reads the settings in a body, in their order; undefined if the body is something else. An empty object has
 * none.
 */
export function upgradeSettingsOf(body: unknown): readonly UpgradeSetting[] | undefined {
  if (!Array.isArray(body) && v.is(v.strictObject({}), body)) return [];
  const result = v.safeParse(settings, body);
  if (!result.success) return undefined;
  // Both members are equal, so one of them is enough.
  const items = result.output.userInputs.map((item) => ({ ...item, id: item.id || item.name }));
  if (!items.every(isSetting)) return undefined;
  return items.toSorted((a, b) => (lenientNumber(a.seqNum) ?? 0) - (lenientNumber(b.seqNum) ?? 0));
}

function isSetting(item: unknown): item is UpgradeSetting {
  return v.is(setting, item);
}

/** Writes the body with settings: the reply of `getUpgradeSettings` and the parameter `upgradeSettings`. */
export function toSettingsBody(userInputs: readonly UpgradeSetting[]): object {
  return { userInputs };
}

/** A volume that an upgrade needs: an element of the list in the text of `volumesConfig`. */
export interface Volume {
  /** Such as `BLOB` or `SHARING`. */
  readonly component: string;
  readonly labels?: Readonly<Record<string, unknown>> | null | undefined;
  /** Such as `DYNAMIC`. */
  readonly provisioningType?: string | null | undefined;
  /** With a unit. */
  readonly size?: Numeric | null | undefined;
  readonly storageClass?: string | null | undefined;
  readonly [member: string]: unknown;
}

const volumes = v.array(
  v.looseObject({
    component: v.string(),
    labels: v.nullish(v.record(v.string(), v.unknown())),
    provisioningType: v.nullish(v.string()),
    size: v.nullish(v.custom<Numeric>((value) => lenientText(value) !== undefined)),
    storageClass: v.nullish(v.string()),
  }),
);

/**
 * Reads the volumes in the value of `volumesConfig`, a text or the list itself; undefined if it is no list of
 * volumes.
 */
export function volumesOf(value: unknown): readonly Volume[] | undefined {
  try {
    const result = v.safeParse(volumes, typeof value === 'string' ? readExactJson(value) : value);
    return result.success ? result.output : undefined;
  } catch {
    return undefined;
  }
}

/** True if a setting requires a value; undefined if it does not state it. */
export function isRequired({ required }: UpgradeSetting): boolean | undefined {
  return lenientFlag(required);
}
