import * as v from 'valibot';

/** One package that a lockfile names, at one place of the tree. */
export interface LockedPackage {
  /** The folder of the installed package, such as `node_modules/hono`. */
  readonly path: string;
  /** Name and version, such as `hono@4.13.19`. */
  readonly id: string;
  /** SPDX expression; empty where the package states none. */
  readonly licence: string;
  /** True if users of the program get it; false for tools of development. */
  readonly isShipped: boolean;
  /** True if the installation goes on without it, as without the files of other systems. */
  readonly isOptional: boolean;
  readonly integrity: string | undefined;
  /** The address that it is fetched from, where the lockfile has one. */
  readonly resolved: string | undefined;
}

const flag = v.optional(v.boolean(), false);
const entry = v.object({
  version: v.optional(v.string(), ''),
  license: v.optional(v.string(), ''),
  integrity: v.optional(v.string()),
  resolved: v.optional(v.string()),
  ...{ dev: flag, devOptional: flag, optional: flag, link: flag },
});
const lockfile = v.object({ lockfileVersion: v.literal(3), packages: v.record(v.string(), entry) });

/** The packages in the text of a `package-lock.json` of version 3, without the project itself and links. Throws for other texts. */
export function readLockfile(text: string): readonly LockedPackage[] {
  const { packages } = v.parse(lockfile, JSON.parse(text));
  return Object.entries(packages)
    .filter(([path, { link }]) => path !== '' && !link)
    .map(([path, { version, license, integrity, resolved, dev, devOptional, optional }]) => ({
      ...{ path, integrity, resolved },
      id: `${path.replace(/^.*node_modules\//, '')}@${version}`,
      licence: license,
      isShipped: !dev && !devOptional,
      isOptional: optional,
    }));
}

const anyRecord = v.record(v.string(), v.unknown());

/** The text of a lockfile with the integrity of packages, by their paths, and all else as it was. */
export function withIntegrity(text: string, found: ReadonlyMap<string, string | undefined>): string {
  const whole = v.parse(anyRecord, JSON.parse(text));
  const packages = v.parse(v.record(v.string(), anyRecord), whole.packages);
  for (const [path, integrity] of found) {
    const { version, ...rest } = packages[path] ?? {};
    // In this order npm writes them.
    if (integrity !== undefined) packages[path] = { version, integrity, ...rest };
  }
  return `${JSON.stringify({ ...whole, packages }, null, 2)}\n`;
}

/** The only registry that addresses of a lockfile may name: others are of one machine or network. */
const publicRegistry = 'https://registry.npmjs.org/';

const sha512 = /^sha512-[A-Za-z0-9+/]{86}==$/;

/**
 * Sentences on what a lockfile does not pin: a package without a SHA-512 of its bytes, or with the address of
 * a private registry. `unpinned` are optional packages, as `name@version`, that may lack the hash for now; one
 * of them that is pinned, or gone, is a problem too.
 */
export function integrityProblems(
  packages: readonly LockedPackage[],
  unpinned: readonly string[] = [],
): readonly string[] {
  const lacking = packages.filter(({ integrity = '' }) => !sha512.test(integrity));
  const excused = new Set(lacking.filter(({ isOptional }) => isOptional).map(({ id }) => id));
  return [
    ...lacking
      .filter(({ id }) => !(excused.has(id) && unpinned.includes(id)))
      .map(({ path }) => `"${path}" has no SHA-512 integrity: "npm run lock" asks the registry for it`),
    ...packages
      .filter(({ resolved = publicRegistry }) => !resolved.startsWith(publicRegistry))
      .map(({ path }) => `"${path}" is resolved from another place than the public registry`),
    ...unpinned
      .filter((id) => !excused.has(id))
      .map((id) => `"${id}" is listed as unpinned, but is pinned or gone: take it off the list`),
  ];
}
