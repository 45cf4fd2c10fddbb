import { writeExactJson } from '../../records/index.ts';
import type { MessageFinding } from '../finding.ts';
import type { NamedFile } from '../upload.ts';
import { toUpdateId, updateIdOf } from './update.ts';
import { toSettingsBody, type UpgradeSetting, upgradeSettingsOf } from './upgrade-setting.ts';

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
