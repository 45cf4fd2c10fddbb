import * as v from 'valibot';
import { readExactJson, writeExactJson } from '../records/index.ts';
import {
  lenientFlag,
  lenientNumber,
  lenientText,
  type MessageFinding,
  type Numeric,
  optionalMember,
} from './reply.ts';
import type { NamedFile } from './uploads.ts';

/**
 * A release or a patch: an item in the replies of `available` (field notes) and of `checkRollback` (section 2.7
 * of the interface document). Unknown members are kept.
 */
export interface Update {
  /** `rel_<number>_<build>` or `pat_<number>_<build>`. */
  readonly id: string;
  /** `release` or `patch`. */
  readonly type?: string | undefined;
  readonly name?: string | undefined;
  readonly description?: string | undefined;
  readonly version?: string | undefined;
  readonly build?: string | undefined;
  readonly previousVersion?: string | undefined;
  readonly previousReleaseBuild?: string | undefined;
  /** Milliseconds since the epoch. */
  readonly released?: number | undefined;
  readonly url?: string | undefined;
  readonly containers?: readonly UpdateContainer[] | undefined;
  readonly [member: string]: unknown;
}

/** An image of an update. Known names are in `containerNames`; the checksum is often "N/A". */
export interface UpdateContainer {
  readonly name?: string | undefined;
  readonly image?: string | undefined;
  readonly checksum?: string | undefined;
  readonly [member: string]: unknown;
}

const text = optionalMember.text;
const update = v.looseObject({
  id: v.pipe(v.unknown(), v.transform(lenientText), v.string(), v.nonEmpty()),
  type: text,
  name: text,
  description: text,
  version: text,
  build: text,
  previousVersion: text,
  previousReleaseBuild: text,
  released: optionalMember.time,
  url: text,
  containers: v.fallback(
    v.optional(v.array(v.looseObject({ name: text, image: text, checksum: text }))),
    undefined,
  ),
});

/**
 * Reads the rollback options in a body (section 4.2.4): an empty list if no patch is installed; undefined if
 * the body is something else.
 */
export function rollbackOptionsOf(body: unknown): readonly Update[] | undefined {
  const result = v.safeParse(v.looseObject({ updates: v.array(update) }), body);
  return result.success ? result.output.updates : undefined;
}

/** The known members with updates in replies of `available`. */
const listMembers = ['versions', 'releases', 'patches', 'updates'] as const;

/**
 * Reads the updates in the reply of `available` or `installed`, each once; undefined if the body is something
 * else.
 */
export function listedUpdatesOf(body: unknown): readonly Update[] | undefined {
  // The documentation describes the reply as a list, and shows an object with a list.
  const result = v.safeParse(v.looseObject({}), Array.isArray(body) ? { versions: body } : body);
  if (!result.success) return undefined;
  const lists = listMembers
    .map((member) => v.safeParse(v.array(update), result.output[member]))
    .flatMap((read) => (read.success ? [read.output] : []));
  if (lists.length === 0) return undefined;
  return [...new Map(lists.flat().map((item) => [item.id, item])).values()];
}

/**
 * True if a text can be the identifier of a release or patch: not empty, without spaces and control characters.
 * `rel_DDMMYYYY_build` is usual, and not required.
 */
export function isUpdateId(text: string): boolean {
  return /^[^\s\p{C}]+$/u.test(text);
}

/** Writes the parameter that names an update: an object with the member `id` (sections 4.2.3 and 4.2.5). */
export function toUpdateId(id: string): string {
  return JSON.stringify({ id });
}

/** The identifier of the update in a parameter; undefined if there is none. */
export function updateIdOf(text: string): string | undefined {
  try {
    const result = v.safeParse(v.looseObject({ id: v.pipe(v.string(), v.nonEmpty()) }), JSON.parse(text));
    return result.success ? result.output.id : undefined;
  } catch {
    return undefined;
  }
}

/** The known containers (section 2.7). The list is open: names change between versions. */
export const containerNames = [
  'ENTERPRISE_ADMIN_API',
  'STORE_POSTGRES',
  'STORE_MINIO',
  'STORE_RELATIONAL',
  'STORE_SBDS',
  'STORE_IGNITE',
  'PORTAL_SHARING_API',
  'PORTAL_HOME_APP',
  'MANAGER_APP',
  'PORTAL_JSAPI',
  'CATALOG_SERVER',
  'CONFIG_FACTORY_SERVER',
  'MAP_SERVER',
  'GEOCODE_SERVER',
  'GEOMETRY_SERVER',
  'IMAGE_SERVER',
  'GPPROXY_SERVER',
  'GP_SERVER',
  'SDS_FEATURE_SERVER',
  'TILE_SERVER',
  'PROMETHEUS',
  'KIBANA',
  'FILEBEAT',
  'RABBITMQ',
  'HELP',
  'ADMIN_TOOLS',
  'UPGRADER',
  'PORTAL_CONTENT_TEMPLATE',
  'POSTGRES_UPGRADER',
  'INGRESS_CONTROLLER',
  'PORTAL_APPS',
  'BUSYBOX',
  'DISASTER_RECOVERY',
  'WEB_PROXY',
  'PORTAL_WEB_STYLE_APP',
] as const;

/** The request of an upgrade (section 4.2.5 of the interface document). */
export interface UpgradeRequest {
  /** The identifier of the release or patch. */
  readonly id: string;
  /** From 11.0: the settings of `getUpgradeSettings`, filled in. */
  readonly settings?: readonly UpgradeSetting[];
  /** Before 11.0: the license. */
  readonly licenseFile?: NamedFile;
  /** For a deployment without internet access: the description of the update. */
  readonly versionManifestFile?: NamedFile;
  /** Before 11.0. */
  readonly updateToLatestPatch?: boolean;
}

/** Writes the multipart form of an upgrade, without the token. */
export function toUpgradeForm(request: UpgradeRequest): FormData {
  const form = new FormData();
  form.set('versionManifest', toUpdateId(request.id));
  form.set('upgradeSettings', writeExactJson(request.settings ? toSettingsBody(request.settings) : {}));
  if (request.updateToLatestPatch !== undefined) {
    form.set('updateToLatestPatch', String(request.updateToLatestPatch));
  }
  setFile(form, 'licenseFile', request.licenseFile);
  setFile(form, 'versionManifestFile', request.versionManifestFile);
  form.set('f', 'json');
  return form;
}

function setFile(form: FormData, name: string, file: NamedFile | undefined): void {
  if (file) form.set(name, new Blob([file.bytes]), file.name);
}

/** Reads the form of an upgrade. The content of its files is not checked. */
export function fromUpgradeForm(
  form: URLSearchParams,
  files: ReadonlyMap<string, NamedFile>,
): { readonly request: UpgradeRequest; readonly findings: readonly MessageFinding[] } {
  const findings: MessageFinding[] = [];
  const refuse = (parameter: string, rule: string) =>
    findings.push({ parameter, message: `"${parameter}" requires ${rule}` });
  const id = updateIdOf(form.get('versionManifest') ?? '');
  if (id === undefined) refuse('versionManifest', 'JSON with the member "id"');
  const text = form.get('upgradeSettings')?.trim() || '{}';
  const settings = upgradeSettingsOf(jsonOf(text));
  if (!settings) refuse('upgradeSettings', 'JSON with the member "userInputs"');
  const latest = form.get('updateToLatestPatch')?.trim() ?? '';
  if (!['', 'true', 'false'].includes(latest)) refuse('updateToLatestPatch', 'true or false');
  const licenseFile = files.get('licenseFile');
  const versionManifestFile = files.get('versionManifestFile');
  const request = {
    id: id ?? '',
    ...(text !== '{}' && settings && { settings }),
    ...(licenseFile && { licenseFile }),
    ...(versionManifestFile && { versionManifestFile }),
    ...(latest !== '' && { updateToLatestPatch: latest === 'true' }),
  };
  return { request, findings };
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

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
 *
 * ```ts
 * volumesOf('[{"component":"BLOB","size":"10Gi"}]'); // [{ component: 'BLOB', size: '10Gi' }]
 * ```
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

/** Parameters of a rollback (the vendor's public documentation). */
export interface RollbackRequest {
  /** The identifier of the release or patch to roll back to, from `checkRollback`. */
  readonly id: string;
  /** An object; no member of it is documented. */
  readonly settings?: Readonly<Record<string, unknown>>;
}

/** Writes the form of a rollback, without the token. */
export function toRollbackForm({ id, settings = {} }: RollbackRequest): URLSearchParams {
  return new URLSearchParams({
    versionManifest: toUpdateId(id),
    rollbackSettings: JSON.stringify(settings),
    f: 'json',
  });
}

/** Reads the form of a rollback. */
export function fromRollbackForm(form: URLSearchParams): {
  readonly request: RollbackRequest;
  readonly findings: readonly MessageFinding[];
} {
  const findings: MessageFinding[] = [];
  const refuse = (parameter: string, rule: string) =>
    findings.push({ parameter, message: `"${parameter}" requires ${rule}` });
  const id = updateIdOf(form.get('versionManifest') ?? '');
  if (id === undefined) refuse('versionManifest', 'JSON with the member "id"');
  const settings = objectOf(form.get('rollbackSettings')?.trim() || '{}');
  if (!settings) refuse('rollbackSettings', 'a JSON object');
  return { request: { id: id ?? '', ...(settings && { settings }) }, findings };
}

function objectOf(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
    return isObject ? Object.fromEntries(Object.entries(value)) : undefined;
  } catch {
    return undefined;
  }
}

/**
 * The status of an upgrade: the upgrades resource and the answer to an upgrade (section 2.8 of the interface
 * document).
 */
export interface UpgradeStatus {
  /** One of `upgradeStates`, or another. */
  readonly state: string;
  /** The number of the state. */
  readonly code: number;
  /** In the order of the deployment. */
  readonly messages: readonly UpgradeMessage[];
}

/** A message of an upgrade about one step. */
export interface UpgradeMessage {
  readonly message: string;
  /** One of `upgradeMessageCodes`, or another; 0 if the deployment gives none. */
  readonly code: number;
  /** Milliseconds since the epoch; absent if the deployment gives no time. */
  readonly when?: number | undefined;
}

/** The states and their codes: two from the interface document, `no_upgrade` and `failed` from the field notes. */
export const upgradeStates = { no_upgrade: 0, in_progress: 1, failed: 2, success: 3 } as const;

/** Stage of an upgrade, whatever its state is called; `unknown` for a state that no source describes. */
export type UpgradeStage = 'none' | 'running' | 'succeeded' | 'failed' | 'unknown';

const stages: Readonly<Record<number, UpgradeStage>> = {
  [upgradeStates.no_upgrade]: 'none',
  [upgradeStates.in_progress]: 'running',
  [upgradeStates.failed]: 'failed',
  [upgradeStates.success]: 'succeeded',
};

/**
 * Stage of an upgrade in a state. An unknown state is classified by its code.
 *
 * ```ts
 * upgradeStageOf(await readUpgradeStatus(client));
 * ```
 */
export function upgradeStageOf({ state, code }: Pick<UpgradeStatus, 'state' | 'code'>): UpgradeStage {
  const name = state
    .trim()
    .toLowerCase()
    .replace(/[\s-]+/g, '_');
  const known = Object.entries(upgradeStates).find(([stateName]) => stateName === name);
  if (!known && /(^|_)(fail|failed|failure|error)(_|$)/.test(name)) return 'failed';
  return stages[known?.[1] ?? code] ?? 'unknown';
}

/** The largest time, milliseconds since the epoch. Larger ones are no dates, and 0 stands for a missing one. */
const maxTime = 8.64e15;
const number = v.pipe(v.union([v.number(), v.pipe(v.string(), v.nonEmpty())]), v.transform(Number));
const integer = v.pipe(number, v.integer());
const time = v.pipe(number, v.gtValue(0), v.maxValue(maxTime));
const textOrNumber = v.pipe(v.union([v.string(), v.number()]), v.transform(String));

const message = v.looseObject({
  message: v.fallback(textOrNumber, ''),
  code: v.fallback(integer, 0),
  when: v.fallback(v.optional(time), undefined),
});
const status = v.looseObject({
  state: v.pipe(textOrNumber, v.nonEmpty()),
  code: v.fallback(v.optional(integer), undefined),
  messages: v.optional(v.unknown()),
});

/**
 * Reads the status in a body, bare or as its member `status`; undefined if the body is something else. Accepts
 * numbers as texts and texts as numbers, missing and unknown members.
 */
export function upgradeStatusOf(body: unknown): UpgradeStatus | undefined {
  const wrapped = v.safeParse(v.looseObject({ status: v.unknown() }), body);
  for (const candidate of wrapped.success ? [wrapped.output.status, body] : [body]) {
    const result = v.safeParse(status, candidate);
    if (!result.success) continue;
    const { state, code = codeOfState(state), messages } = result.output;
    return { state, code, messages: messagesOf(messages) };
  }
  return undefined;
}

/** The code of a state without one; a state may itself be a number. -1 if there is none. */
function codeOfState(state: string): number {
  const known = Object.entries(upgradeStates).find(([name]) => name === state.toLowerCase())?.[1];
  return known ?? (/^\d{1,9}$/.test(state) ? Number(state) : -1);
}

/** Reads a list of messages, or a single one in its place. Skips unreadable messages. */
function messagesOf(value: unknown): readonly UpgradeMessage[] {
  if (Array.isArray(value)) return value.flatMap(messagesOf);
  if (typeof value === 'string') return value === '' ? [] : [{ message: value, code: 0 }];
  const result = v.safeParse(message, value);
  if (!result.success) return [];
  const { message: text, code, when } = result.output;
  return [{ message: text, code, ...(when !== undefined && { when }) }];
}

/** The body of the upgrades resource. */
export function toStatusBody({ state, code, messages }: UpgradeStatus): object {
  return { status: { state, code, messages } };
}

/** The meaning of a code in an upgrade's messages. */
export interface MessageCode {
  readonly meaning: string;
  /** The mode that begins with it. */
  readonly enters?: 'read-only' | 'read-write';
  /** True if its text contains `N out of M`. */
  readonly counts?: true;
}

/** The codes of the messages of an upgrade and their meanings (section 2.8 of the interface document). The list is open. */
export const upgradeMessageCodes: Readonly<Record<number, MessageCode>> = {
  2010: { meaning: 'the upgrade has started, from one version to another' },
  2011: { meaning: 'the upgrade is complete, with the time it took' },
  2012: { meaning: 'the deployment is upgraded' },
  2038: { meaning: 'a workload gets a new image' },
  2087: { meaning: 'the primary of the relational database is read-only' },
  2090: { meaning: 'the standby of the relational database is promoted' },
  2092: { meaning: 'the relational database has a new standby' },
  2093: { meaning: 'the primary of the relational database is read-write' },
  2094: { meaning: 'the relational database is being validated' },
  2101: { meaning: 'the release upgrade of a microservice has started' },
  2103: { meaning: 'the release upgrade of a microservice is complete' },
  2108: { meaning: 'the release upgrade of the relational database has started' },
  2109: { meaning: 'the release upgrade of the relational database is complete' },
  2132: { meaning: 'the release upgrade of a component is complete' },
  2134: { meaning: 'the release upgrade of a component has started' },
  2144: { meaning: 'the upgrade of the database version has started' },
  2145: { meaning: 'the upgrade of the database version is done' },
  2148: { meaning: 'the work after the upgrade of the database has started' },
  2149: { meaning: 'the work after the upgrade of the database is complete' },
  2151: { meaning: 'the roles of the databases change' },
  2153: { meaning: 'what came of the upgrade of the database version' },
  2165: { meaning: 'the deployment goes into read-only mode', enters: 'read-only' },
  2166: { meaning: 'the deployment comes out of read-only mode', enters: 'read-write' },
  2168: { meaning: 'the upgrader is being launched' },
  2173: { meaning: 'number of microservices that have the patch', counts: true },
  2175: { meaning: 'number of microservices that have the release', counts: true },
  2178: { meaning: 'the refresh of services that are deployed by themselves has started' },
  2179: { meaning: 'the work after the upgrade has started' },
  2180: { meaning: 'the work after the upgrade for logging has started' },
  2181: { meaning: 'the work after the upgrade for logging succeeded' },
  2185: { meaning: 'the refresh of services that are deployed by themselves is complete' },
  2187: { meaning: 'the content of the portal is being updated' },
  2188: { meaning: 'the content of the portal is updated' },
  2191: { meaning: 'the refresh of the search index of the portal has started' },
  2192: { meaning: 'the refresh of the search index of the portal is complete' },
  2270: { meaning: 'the plan of the upgrade is being made' },
  2271: { meaning: 'the plan of the upgrade is being carried out' },
  2281: { meaning: 'whether the search store can be upgraded directly is being checked' },
  2287: { meaning: 'the diagnostics before the upgrade have started' },
  2288: { meaning: 'the diagnostics before the upgrade are complete' },
  2291: { meaning: 'the patch of a module has started' },
};

/**
 * The codes of a rollback's messages beside those of an upgrade, from the vendor's public documentation. The
 * list is open.
 */
export const rollbackMessageCodes: Readonly<Record<number, MessageCode>> = {
  2072: { meaning: 'the rollback has started, from one version to another' },
};

/** Progress of an upgrade, from its messages. */
export interface UpgradeProgress {
  readonly stage: ReturnType<typeof upgradeStageOf>;
  /** Numbers of finished and of all microservices; absent until a message counts them. */
  readonly counted?: { readonly done: number; readonly of: number };
  /** True in read-only mode. */
  readonly readOnly: boolean;
  /**
   * Times of the first and the last message, milliseconds since the epoch; absent without messages that have a
   * time.
   */
  readonly started?: number;
  readonly latest?: number;
}

/**
 * Computes the progress of an upgrade from its messages, in the order of their times. A message without a time
 * stays after its predecessor.
 *
 * ```ts
 * progressOf(await readUpgradeStatus(client));
 * ```
 */
export function progressOf(status: UpgradeStatus): UpgradeProgress {
  const messages = inOrderOfTime(status.messages);
  const times = messages.flatMap(({ when }) => (when === undefined ? [] : [when]));
  const [started] = times;
  const latest = times.at(-1);
  const counted = messages.map(countOf).findLast((count) => count !== undefined);
  const mode = messages
    .map(({ code }) => upgradeMessageCodes[code]?.enters)
    .findLast((enters) => enters !== undefined);
  const stage = upgradeStageOf(status);
  return {
    stage,
    ...(counted && { counted }),
    // A failed upgrade may still be in read-only mode; a successful one is not.
    readOnly: mode === 'read-only' && stage !== 'succeeded',
    ...(started !== undefined && { started }),
    ...(latest !== undefined && { latest }),
  };
}

function inOrderOfTime(messages: readonly UpgradeMessage[]): readonly UpgradeMessage[] {
  let time = Number.NEGATIVE_INFINITY;
  const timed = messages.map((message) => {
    time = message.when ?? time;
    return { message, time };
  });
  return timed.toSorted((a, b) => (a.time === b.time ? 0 : a.time - b.time)).map(({ message }) => message);
}

/**
 * The numbers in a message such as `3 out of 44 deployments updated`; undefined if it counts nothing.
 *
 * ```ts
 * countOf({ code: 2173, message: '3 out of 44 deployments updated' }); // { done: 3, of: 44 }
 * ```
 */
export function countOf({ code, message }: UpgradeMessage): UpgradeProgress['counted'] {
  const [, done, of] = /(\d{1,6})\s+(?:out\s+)?of\s+(\d{1,6})/i.exec(message) ?? [];
  if (!upgradeMessageCodes[code]?.counts || done === undefined || of === undefined) return undefined;
  return { done: Math.min(Number(done), Number(of)), of: Number(of) };
}

/**
 * The messages of the second status that the first lacks, in their order. Equal messages count separately.
 *
 * ```ts
 * newMessages([], [{ code: 2166, message: 'read and write' }]); // [{ code: 2166, message: 'read and write' }]
 * ```
 */
export function newMessages(
  before: readonly UpgradeMessage[],
  now: readonly UpgradeMessage[],
): readonly UpgradeMessage[] {
  const seen = new Map<string, number>();
  const keyOf = ({ code, message, when }: UpgradeMessage) => JSON.stringify([code, when, message]);
  for (const message of before) seen.set(keyOf(message), (seen.get(keyOf(message)) ?? 0) + 1);
  return now.filter((message) => {
    const left = seen.get(keyOf(message)) ?? 0;
    seen.set(keyOf(message), left - 1);
    return left <= 0;
  });
}
