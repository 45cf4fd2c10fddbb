import { compareVersions, containerNames, type Update } from '../../protocol/index.ts';
import type { Release } from '../state/state.ts';

/** A release and its patches of an invented vendor, in the forms of the interface document. */
interface Published extends Release {
  /** Day, month and year. */
  readonly date: string;
  /** The oldest first. */
  readonly patches: readonly { readonly build: string; readonly date: string; readonly name: string }[];
}

const published: readonly Published[] = [
  { version: '10.9', build: '505', date: '07042021', patches: [] },
  {
    version: '10.9.1',
    build: '2100',
    date: '09112021',
    patches: [{ build: '2112', date: '14022022', name: '10.9.1 Security Update' }],
  },
  {
    version: '11.0',
    build: '3150',
    date: '13092022',
    patches: [{ build: '3162', date: '24012023', name: '11.0 Base Operating System Image Update' }],
  },
  {
    version: '11.1',
    build: '3480',
    date: '20062023',
    patches: [{ build: '3495', date: '17102023', name: '11.1 Help Language Pack Update' }],
  },
  {
    version: '11.2',
    build: '3820',
    date: '14122023',
    patches: [
      { build: '3831', date: '26032024', name: '11.2 Feature and Map Service Update' },
      { build: '3840', date: '11062024', name: '11.2 Relational Store Update' },
    ],
  },
  {
    version: '11.3',
    build: '4290',
    date: '18072024',
    patches: [{ build: '4305', date: '05112024', name: '11.3 Security Update' }],
  },
];

/** The possible initial versions of a deployment. */
export const deploymentVersions: readonly string[] = published.map(({ version }) => version);

/** The release of a version without patches; undefined for an unknown version. */
export function releaseOf(version: string): Release | undefined {
  const found = published.find((each) => each.version === version);
  return found && { version, build: found.build };
}

/** The available updates: the missing patches of its version, and the next release. */
export function availableUpdates({ version, build }: Release): readonly Update[] {
  const own = published.find((each) => each.version === version);
  const next = published.find((each) => compareVersions(each.version, version) > 0);
  const patches = (own?.patches ?? []).filter((patch) => Number(patch.build) > Number(build));
  return [
    ...(own ? patches.map((patch) => toPatch(own, patch)) : []),
    ...(next ? [toRelease(next, { version, build })] : []),
  ];
}

/** The release of a deployment and the patches that are installed on it. */
export function installedUpdates({ version, build }: Release): readonly Update[] {
  const own = published.find((each) => each.version === version);
  if (!own) return [];
  const patches = own.patches.filter((patch) => Number(patch.build) <= Number(build));
  return [toRelease(own, { version: '', build: '' }), ...patches.map((patch) => toPatch(own, patch))];
}

/** The rollback options: none without an installed patch (section 4.2.4 of the interface document). */
export function rollbackOptions({ version, build }: Release): readonly Update[] {
  const own = published.find((each) => each.version === version);
  if (!own || own.build === build) return [];
  const earlier = own.patches.filter((patch) => Number(patch.build) < Number(build));
  const options = [
    toRelease(own, { version: '', build: '' }),
    ...earlier.map((patch) => toPatch(own, patch)),
  ];
  // An option has no member for licenses (section 2.7).
  return options.map(({ newLicensesRequired: _, ...option }) => option);
}

/** The release after an update. A release includes its latest patch if the settings require it. */
export function releaseAfter(update: Update, withPatches: boolean): Release {
  const release = published.find(({ version }) => version === update.version);
  const patch = update.type === 'release' && withPatches ? release?.patches.at(-1) : undefined;
  return { version: update.version ?? '', build: patch?.build ?? update.build ?? '' };
}

function toRelease({ version, build, date }: Published, previous: Release): Update {
  return {
    id: `rel_${date}_${build}`,
    type: 'release',
    name: `Release ${version}`,
    description: `Upgrades the deployment to ${version}.`,
    version,
    build,
    previousVersion: previous.version,
    previousReleaseBuild: previous.build,
    released: millisecondsOf(date),
    url: '',
    containers: containersOf(containerNames, build),
    newLicensesRequired: requiresLicense(previous.version, version),
  };
}

function toPatch(release: Published, { build, date, name }: Published['patches'][number]): Update {
  return {
    id: `pat_${date}_${build}`,
    type: 'patch',
    name,
    description: `Installs "${name}".`,
    version: release.version,
    build,
    previousVersion: release.version,
    previousReleaseBuild: release.build,
    released: millisecondsOf(date),
    url: `https://downloads.vendor.example/patches/${build}`,
    containers: containersOf(patchedContainers, build),
    newLicensesRequired: false,
  };
}

const patchedContainers = [
  'ENTERPRISE_ADMIN_API',
  'PORTAL_SHARING_API',
  'MAP_SERVER',
  'SDS_FEATURE_SERVER',
  'GP_SERVER',
];

function containersOf(names: readonly string[], build: string) {
  return names.map((name) => ({
    name,
    image: `registry.vendor.example/enterprise-${name.toLowerCase().replaceAll('_', '-')}:${build}`,
    checksum: 'N/A',
  }));
}

function millisecondsOf(date: string): number {
  return Date.UTC(Number(date.slice(4)), Number(date.slice(2, 4)) - 1, Number(date.slice(0, 2)));
}

/** True if an upgrade requires an uploaded license (section 2.6 of the interface document). */
export function requiresLicense(from: string, to: string): boolean {
  return (from === '10.9.1' && to === '11.0') || (from === '11.0' && to === '11.1');
}
