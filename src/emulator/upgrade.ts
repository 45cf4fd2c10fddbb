import {
  compareVersions,
  containerNames,
  settingIds,
  type Update,
  type UpgradeMessage,
  type UpgradeSetting,
  type UpgradeStatus,
  upgradeStates,
  type Volume,
} from '../protocol/index.ts';
import type { Release, State, UpgradeRun } from './state.ts';

/** The progress of an upgrade at a time. */
export interface RunProgress {
  readonly status: UpgradeStatus;
  /** True in read-only mode. */
  readonly readOnly: boolean;
  /** True while the administrative interface is replaced and does not answer. */
  readonly away: boolean;
}

/** The status before the first upgrade (field notes). */
const nothing: UpgradeStatus = { state: 'no_upgrade', code: upgradeStates.no_upgrade, messages: [] };

/** The progress of the latest upgrade at a time. */
export function progressAt({ upgrades }: State, now: number): RunProgress {
  const run = upgrades.at(-1);
  return run ? progressOfRun(run, now) : { status: nothing, readOnly: false, away: false };
}

function progressOfRun(run: UpgradeRun, now: number): RunProgress {
  const over = shareOver(run, now);
  const messages = messagesOf(run).filter(({ when }) => when <= now);
  const codes = messages.map(({ code }) => code);
  const running = over < endOf(run);
  const state = running ? 'in_progress' : run.failsAfter === undefined ? 'success' : 'failed';
  return {
    status: { state, code: upgradeStates[state], messages },
    readOnly: codes.includes(2165) && !codes.includes(2166),
    away: running && awayFrom <= over && over < awayUntil,
  };
}

/** Shares of the upgrade between which the interface does not answer, because its own pods are replaced. */
const awayFrom = 0.5;
const awayUntil = 0.56;

function shareOver({ started, duration }: UpgradeRun, now: number): number {
  return duration === 0 ? 1 : (now - started) / duration;
}

function endOf({ failsAfter = 1 }: UpgradeRun): number {
  return failsAfter;
}

/** A message with its time, milliseconds since the epoch. */
export interface TimedMessage extends UpgradeMessage {
  readonly when: number;
}

/** All messages of an upgrade with their times, also future ones. */
export function messagesOf(run: UpgradeRun): readonly TimedMessage[] {
  const end = endOf(run);
  const said = scriptOf(run).filter(({ at }) => at < end || end === 1);
  const ending = run.failsAfter === undefined ? [] : failure.map((line) => ({ ...line, at: end }));
  return [...said, ...ending].map(({ code, message, at }) => ({
    message,
    code,
    when: run.started + Math.round(at * run.duration),
  }));
}

/** The messages of a failure are not documented; this code has not been seen in real deployments. */
const failure = [
  { code: 2166, message: 'The system is coming out of read-only mode.' },
  { code: 2013, message: 'The upgrade failed: a deployment did not become ready in time.' },
];

/** The release at a time: that of the last successful upgrade. */
export function releaseAt({ release, upgrades }: State, now: number): Release {
  return lastDone(upgrades, now)?.to ?? release;
}

/** End of the last successful upgrade, milliseconds since the epoch; 0 without one. */
export function releasedAt({ upgrades }: State, now: number): number {
  const done = lastDone(upgrades, now);
  return done ? done.started + done.duration : 0;
}

function lastDone(upgrades: readonly UpgradeRun[], now: number): UpgradeRun | undefined {
  return upgrades.findLast((run) => run.failsAfter === undefined && run.started + run.duration <= now);
}

/** A release as deployments write it: version and build combined (field notes). */
export function releaseText({ version, build }: Release): string {
  return `${version}.${build}`;
}

/** One message of an upgrade and its time. */
interface ScriptedMessage {
  readonly code: number;
  readonly message: string;
  /** The share of the upgrade that is over, 0 to 1. */
  readonly at: number;
}

type Line = readonly [code: number, message: string];

/**
 * The messages of a successful upgrade, in an order that the codes of section 2.8 of the interface document and
 * their meanings suggest.
 */
function scriptOf(run: UpgradeRun): readonly ScriptedMessage[] {
  const lines = run.kind === 'rollback' ? rollbackScript(run) : upgradeScript(run);
  return lines.map(([code, message], index) => ({ code, message, at: index / (lines.length - 1) }));
}

function versionsOf({ from, to }: UpgradeRun): { readonly from: string; readonly to: string } {
  return { from: `${from.version}.${from.build}`, to: `${to.version}.${to.build}` };
}

function upgradeScript(run: UpgradeRun): readonly Line[] {
  const { kind, duration } = run;
  const versions = versionsOf(run);
  return [
    [2010, `Upgrade process started from version ${versions.from} to version ${versions.to}.`],
    [2287, 'Pre-diagnostics for the upgrade have started.'],
    ...(kind === 'release' ? [searchStoreCheck] : []),
    [2288, 'Pre-diagnostics for the upgrade have completed.'],
    [2168, 'Launching the upgrader.'],
    [2270, 'Preparing the upgrade plan.'],
    [2165, 'The system is going into read-only mode.'],
    [2271, 'Executing the upgrade plan.'],
    ...(kind === 'release' ? releaseLines : patchLines),
    [2166, 'The system is coming out of read-only mode.'],
    [2011, `Upgrade process completed. Elapsed time: ${elapsed(duration)}.`],
    [2012, `The deployment was upgraded successfully to version ${versions.to}.`],
  ];
}

/** The code of the start is publicly documented; those of the end have not been seen in real deployments. */
function rollbackScript(run: UpgradeRun): readonly Line[] {
  const versions = versionsOf(run);
  return [
    [2072, `Starting the rollback process from ${versions.from} to ${versions.to}.`],
    [2165, 'The system is going into read-only mode.'],
    ...patched.map((name): Line => [2038, `Updating workload '${name}' with a new image.`]),
    [2166, 'The system is coming out of read-only mode.'],
    [2073, `Rollback process completed. Elapsed time: ${elapsed(run.duration)}.`],
  ];
}

const searchStoreCheck: Line = [2281, 'Checking the prerequisites of the search store for a direct upgrade.'];

const database: readonly Line[] = [
  [2094, 'Validating the relational database.'],
  [2108, 'Release upgrade of the relational database started.'],
  [2087, 'The primary set is read-only.'],
  [2144, 'Database version upgrade started.'],
  [2145, 'Database version upgrade done.'],
  [2153, 'Database version upgrade result: success.'],
  [2090, 'The standby was promoted.'],
  [2151, 'Role change: the standby is the primary now.'],
  [2148, 'Database post-upgrade started.'],
  [2149, 'Database post-upgrade completed.'],
  [2092, 'A new standby was added.'],
  [2093, 'The primary set is read-write.'],
  [2109, 'Release upgrade of the relational database completed.'],
];

const components: readonly Line[] = ['object store', 'in-memory store', 'search store'].flatMap(
  (name): Line[] => [
    [2134, `Release upgrade of component '${name}' started.`],
    [2132, `Release upgrade of component '${name}' completed.`],
  ],
);

const workloads = [
  'enterprise-admin-api',
  'enterprise-sharing',
  'rest-metrics',
  'catalog-server',
  'map-server',
  'feature-server',
  'gp-server',
  'tile-server',
  'ingress-controller',
];

const deployments: readonly Line[] = workloads.flatMap((name, index): Line[] => [
  [2101, `Release upgrade of deployment '${name}' started.`],
  [2038, `Updating workload '${name}' with a new image.`],
  [2103, `Release upgrade of deployment '${name}' completed.`],
  [2175, `${index + 1} out of ${workloads.length} deployments updated.`],
]);

const releaseLines: readonly Line[] = [
  ...database,
  ...components,
  ...deployments,
  [2187, 'Updating the portal content.'],
  [2188, 'The portal content was updated.'],
  [2179, 'Post-upgrade operations started.'],
  [2180, 'Post-upgrade operation for logging started.'],
  [2181, 'Post-upgrade operation for logging succeeded.'],
  [2178, 'Refresh of autodeployed services started.'],
  [2185, 'Refresh of autodeployed services completed.'],
  [2191, 'Refresh of the portal search index started.'],
  [2192, 'Refresh of the portal search index completed.'],
];

const patched = ['enterprise-admin-api', 'enterprise-sharing', 'map-server', 'feature-server', 'gp-server'];

const patchLines: readonly Line[] = patched.flatMap((name, index): Line[] => [
  [2291, `Patch update of module '${name}' started.`],
  [2038, `Updating workload '${name}' with a new image.`],
  [2173, `${index + 1} out of ${patched.length} deployments updated.`],
]);

function elapsed(milliseconds: number): string {
  const seconds = Math.round(milliseconds / 1000);
  return `${Math.floor(seconds / 3600)} hours, ${Math.floor(seconds / 60) % 60} minutes, ${seconds % 60} seconds`;
}

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
  const found = published.find((release) => release.version === version);
  return found && { version, build: found.build };
}

/** The available updates: the missing patches of its version, and the next release. */
export function availableUpdates({ version, build }: Release): readonly Update[] {
  const own = published.find((release) => release.version === version);
  const next = published.find((release) => compareVersions(release.version, version) > 0);
  const patches = (own?.patches ?? []).filter((patch) => Number(patch.build) > Number(build));
  return [
    ...(own ? patches.map((patch) => toPatch(own, patch)) : []),
    ...(next ? [toRelease(next, { version, build })] : []),
  ];
}

/** The release of a deployment and the patches that are installed on it. */
export function installedUpdates({ version, build }: Release): readonly Update[] {
  const own = published.find((release) => release.version === version);
  if (!own) return [];
  const patches = own.patches.filter((patch) => Number(patch.build) <= Number(build));
  return [toRelease(own, { version: '', build: '' }), ...patches.map((patch) => toPatch(own, patch))];
}

/** The rollback options: none without an installed patch (section 4.2.4 of the interface document). */
export function rollbackOptions({ version, build }: Release): readonly Update[] {
  const own = published.find((release) => release.version === version);
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
