import {
  checkSettings,
  fromUpgradeForm,
  introducedIn,
  isVersionSince,
  type NamedFile,
  settingIds,
  toSettingsBody,
  toStatusBody,
  toUpdateId,
  type Update,
  type UpgradeRequest,
  updateIdOf,
  upgradesPath,
  withLicense,
} from '../protocol/index.ts';
import {
  type Answer,
  type CheckedRequest,
  effectOf,
  type Link,
  type Operation,
  refuseWith,
} from './operation.ts';
import type { Site } from './site.ts';
import { type State, toFile, type UpgradeRun } from './state.ts';
import {
  availableUpdates,
  installedUpdates,
  progressAt,
  releaseAfter,
  releaseAt,
  requiresLicense,
  rollbackOptions,
  settingsOf,
} from './upgrade.ts';

/** The upgrades resource: the status of the latest upgrade (section 2.8 of the interface document). */
export function upgradesOperation(site: Site): Operation {
  return {
    name: 'upgrades',
    title: 'Upgrades',
    path: site.root + upgradesPath,
    methods: ['GET', 'POST'],
    privilege: 'manageUpgrades',
    fields: [],
    run: () => ({ kind: 'body', body: toStatusBody(progressAt(site.state.read(), site.now()).status) }),
  };
}

/** The version manifest: available updates (field notes). */
export function availableOperation(site: Site): Operation {
  return {
    ...upgradesChild(site, 'available', 'Available updates'),
    links: ({ id, containers }) => (typeof id === 'string' && containers ? linksOfUpdate(site, id) : []),
    run: () => ({ kind: 'body', body: { versions: availableTo(site), signature: '' } }),
  };
}

/** Installed releases and patches (public documentation of the vendor). */
export function installedOperation(site: Site): Operation {
  return {
    ...upgradesChild(site, 'installed', 'Installed updates'),
    since: introducedIn.installed,
    run: () => {
      const versions = installedUpdates(releaseAt(site.state.read(), site.now()));
      return { kind: 'body', body: { versions } };
    },
  };
}

/** The settings that an upgrade requires (section 4.2.3 of the interface document). */
export function getUpgradeSettingsOperation(site: Site): Operation {
  return {
    ...upgradesChild(site, 'getUpgradeSettings', 'Get upgrade settings'),
    since: introducedIn.getUpgradeSettings,
    reads: 'urlencoded',
    fields: [{ name: 'upgradeId', required: true, hint: 'An available update, as {"id":"rel_..."}' }],
    links: ({ userInputs }, form) => {
      const id = userInputs ? updateIdOf(form.get('upgradeId') ?? '') : undefined;
      return id === undefined ? [] : linksOfUpdate(site, id).slice(1);
    },
    related: ['available'],
    run: ({ form }) => {
      const id = updateIdOf(form.get('upgradeId') ?? '');
      if (id === undefined)
        return refuseWith(400, 'Invalid parameters.', '"upgradeId" requires JSON with the member "id"');
      const update = availableTo(site).find((update) => update.id === id);
      if (!update) return unknownUpdate;
      const settings = settingsOf(update, releaseAt(site.state.read(), site.now()));
      return { kind: 'body', body: toSettingsBody(settings) };
    },
  };
}

/** The rollback options (section 4.2.4 of the interface document). */
export function checkRollbackOperation(site: Site): Operation {
  return {
    ...upgradesChild(site, 'checkRollback', 'Check rollback'),
    since: introducedIn.checkRollback,
    run: () => {
      const updates = rollbackOptions(releaseAt(site.state.read(), site.now()));
      return { kind: 'body', body: { updates } };
    },
  };
}

/** Links to the forms that take an update. */
function linksOfUpdate({ root }: Site, id: string): readonly Link[] {
  const path = root + upgradesPath;
  const named = (parameter: string) => new URLSearchParams({ [parameter]: toUpdateId(id) });
  return [
    { label: 'Get upgrade settings', href: `${path}/getUpgradeSettings?${named('upgradeId')}` },
    { label: 'Upgrade', href: `${path}/upgrade?${named('versionManifest')}` },
  ];
}

/** The updates that are available now. */
export function availableTo(site: Site): readonly Update[] {
  return availableUpdates(releaseAt(site.state.read(), site.now()));
}

/** The refusal of an unavailable update. */
export const unknownUpdate: Answer = refuseWith(
  400,
  'Invalid parameters.',
  'There is no available update with this identifier.',
);

/** Common properties of the operations below the upgrades resource. */
export function upgradesChild<N extends string>(site: Site, name: N, title: string) {
  return {
    name,
    title,
    path: `${site.root}${upgradesPath}/${name}`,
    methods: ['POST'],
    privilege: 'manageUpgrades',
    closed: 'during upgrades',
    fields: [],
  } as const;
}

/** Upgrades the deployment by a release or a patch (section 4.2.5 of the interface document). */
export function upgradeOperation(site: Site): Operation {
  return {
    ...upgradesChild(site, 'upgrade', 'Upgrade'),
    reads: 'multipart',
    since: introducedIn.upgrade,
    fields: [
      { name: 'versionManifest', hint: 'An available update, as {"id":"rel_..."}' },
      { name: 'licenseFile', type: 'file', hint: 'Before 11.0' },
      { name: 'versionManifestFile', type: 'file' },
      {
        name: 'upgradeSettings',
        type: 'lines',
        value: '{}',
        hint: 'From 11.0 on; the value of "licenseUpload" is the itemID of an uploaded license file',
      },
    ],
    related: ['available', 'uploadFile'],
    initialForm: ({ form }) => ({ kind: 'form', values: valuesFor(site, form) }),
    run: (call) => start(site, call),
  };
}

/** The settings of the update in the address, with the newest uploaded JSON file as the license. */
function valuesFor(site: Site, form: URLSearchParams): Readonly<Record<string, string>> {
  const state = site.state.read();
  const updateId = updateIdOf(form.get('versionManifest') ?? '');
  const update = availableTo(site).find(({ id }) => id === updateId);
  const from = releaseAt(state, site.now());
  if (!update || !isVersionSince(from.version, introducedIn.upgradeSettings)) return {};
  const license = state.uploads.findLast(({ name }) => isLicenseName(name));
  const settings = withLicense(settingsOf(update, from), license?.id ?? '');
  return { upgradeSettings: JSON.stringify(toSettingsBody(settings), null, 2) };
}

async function start(site: Site, call: CheckedRequest): Promise<Answer> {
  const { request, findings } = fromUpgradeForm(call.form, call.files);
  if (findings.length > 0) return invalid(findings.map(({ message }) => message));
  const update = availableTo(site).find(({ id }) => id === request.id);
  if (!update) return unknownUpdate;
  const problems = problemsOf(site.state.read(), { request, update, now: site.now() });
  if (problems.length > 0) return invalid(problems);
  const run = toRun(site, { call, request, update });
  await site.state.change((state) => ({ ...state, upgrades: [...state.upgrades, run] }));
  return { kind: 'body', body: toStatusBody(progressAt(site.state.read(), site.now()).status) };
}

function invalid(problems: readonly string[]): Answer {
  return refuseWith(400, 'Invalid parameters.', ...problems);
}

interface Started {
  readonly call: CheckedRequest;
  readonly request: UpgradeRequest;
  readonly update: Update;
}

function toRun(site: Site, { call, request, update }: Started): UpgradeRun {
  const kind = update.type === 'release' ? 'release' : 'patch';
  const failsAfter = effectOf(call.effects, 'failUpgrade')?.after;
  const started = site.now();
  return {
    update: update.id,
    kind,
    from: releaseAt(site.state.read(), started),
    to: releaseAfter(update, request.updateToLatestPatch ?? true),
    started,
    duration: site.settings.upgradePace[kind],
    ...(failsAfter !== undefined && { failsAfter }),
    username: call.user?.username ?? '',
    requestID: call.requestID,
  };
}

interface Wish {
  readonly request: UpgradeRequest;
  readonly update: Update;
  readonly now: number;
}

/** Problems that prevent an upgrade, as sentences. */
function problemsOf(state: State, { request, update, now }: Wish): readonly string[] {
  const from = releaseAt(state, now);
  if (update.type !== 'release') return [];
  const licensed = requiresLicense(from.version, update.version ?? '');
  const byFile = request.licenseFile ? licenseProblems(request.licenseFile) : undefined;
  // Before 11.0 there are no settings: the license is part of the request.
  if (!isVersionSince(from.version, introducedIn.upgradeSettings)) {
    return licensed ? (byFile ?? ['"licenseFile" requires a license file']) : [];
  }
  if (byFile && !request.settings) return byFile;
  if (!request.settings) return ['"upgradeSettings" requires the settings of the upgrade, filled in'];
  const errors = checkSettings(request.settings, settingsOf(update, from)).filter(
    ({ severity }) => severity === 'error',
  );
  if (errors.length > 0) return errors.map(({ message }) => message);
  return licensed ? uploadedLicenseProblems(state, request) : [];
}

function uploadedLicenseProblems({ uploads }: State, { settings = [] }: UpgradeRequest): readonly string[] {
  const uploadId = settings.find(({ id }) => id === settingIds.licenseUpload)?.value;
  const upload = uploads.find(({ id }) => id === uploadId);
  return upload ? licenseProblems(toFile(upload)) : ['"licenseUpload" names no uploaded file'];
}

function isLicenseName(name: string): boolean {
  return name.toLowerCase().endsWith('.json');
}

function licenseProblems({ name, bytes }: NamedFile): readonly string[] {
  const problem = ['The license requires a .json file that holds JSON'];
  if (!isLicenseName(name)) return problem;
  try {
    JSON.parse(Buffer.from(bytes).toString('utf8'));
    return [];
  } catch {
    return problem;
  }
}
