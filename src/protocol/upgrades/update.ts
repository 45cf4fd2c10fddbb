import * as v from 'valibot';
import { lenientText, optionalMember } from '../lenient.ts';

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
  return [...new Map(lists.flat().map((each) => [each.id, each])).values()];
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
