import { BearerSecurity, createClientAsync } from 'soap';
import type { ServiceDescription } from '../../../src/protocol/catalog.ts';
import type { SubmittedJob } from '../../../src/protocol/export-jobs.ts';
import type { PropertyTemplate } from '../../../src/protocol/property-template.ts';
import type {
  Update,
  UpgradeRequest,
  UpgradeSetting,
  UpgradeStatus,
} from '../../../src/protocol/upgrades.ts';
import type { Running } from '../running.ts';
import type { Calls, Job } from './calls.ts';
import { logsIn } from './logs-in.ts';
import { sharedToken } from './shared-token.ts';

/**
 * The operations as an independent client calls them: forms by `fetch`, as the
 * interface document shows them, and the catalog by a SOAP library that knows
 * nothing but the WSDL.
 */
export function independentCalls(running: Running): Calls {
  const { url } = running;
  const root = `${url}/admin`;
  const post = async <T>(path: string, form: Fields = {}) =>
    postForm<T>(new URL(path, `${root}/`), { token: await sharedToken(running), ...form });
  const postFile = async <T>(path: string, fields: Readonly<Record<string, string | File>>) =>
    postBody<T>(`${root}/${path}`, multipartOf({ ...fields, token: await sharedToken(running), f: 'json' }));
  let soap: ReturnType<typeof openSoap> | undefined;
  const call = async (operation: string, args: object = {}) => {
    soap ??= openSoap(running);
    return (await (await soap)[`${operation}Async`](args))[0];
  };
  return {
    client: 'independent client',
    messageVersion: () => call('GetMessageVersion'),
    messageFormats: async () => (await call('GetMessageFormats')).MessageFormats,
    tokenServiceUrl: async () => (await call('GetTokenServiceURL')).TokenServiceURL,
    requiresTokens: async () => (await call('RequiresTokens')).Result,
    folders: async () => (await call('GetFolders')).FolderNames?.String ?? [],
    services: async (folder) => {
      const reply = await (folder === undefined
        ? call('GetServiceDescriptions')
        : call('GetServiceDescriptionsEx', { FolderName: folder }));
      return (reply.ServiceDescriptions?.ServiceDescription ?? []).map(toDescription);
    },
    submit: (parameters) => post<SubmittedJob>('logs/export', parameters),
    job: (jobsUrl) => post<Job>(jobsUrl),
    download: async (address) => {
      const authorization = `Bearer ${await sharedToken(running)}`;
      return logsIn(await fetch(`${address}/download`, { headers: { authorization } }));
    },
    templates: async () =>
      (await post<{ properties: PropertyTemplate[] }>('system/deployments/properties')).properties,
    edit: async (template) => {
      const form = { propertyJson: JSON.stringify(template) };
      const body = await post<object>(`system/deployments/properties/${template.id}/edit`, form);
      if (!('status' in body) || body.status !== 'success') throw new Error(JSON.stringify(body));
    },
    available: async () => (await post<{ versions: Update[] }>('system/upgrades/available')).versions,
    settings: async (id) => {
      const form = { upgradeId: JSON.stringify({ id }) };
      return (await post<{ userInputs: UpgradeSetting[] }>('system/upgrades/getUpgradeSettings', form))
        .userInputs;
    },
    rollbackOptions: async () => (await post<{ updates: Update[] }>('system/upgrades/checkRollback')).updates,
    upgrade: async (request) => {
      const fields = upgradeFields(request);
      return (await postFile<{ status: UpgradeStatus }>('system/upgrades/upgrade', fields)).status;
    },
    status: async () => (await post<{ status: UpgradeStatus }>('system/upgrades')).status,
    upload: async ({ name, bytes }) => {
      const fields = { itemFile: new File([bytes], name) };
      return (await postFile<{ item: { itemID: string } }>('uploads/upload', fields)).item.itemID;
    },
  };
}

type Fields = Readonly<Record<string, string>>;

async function openSoap(running: Running) {
  const client = await createClientAsync(`${running.url}/services?wsdl`);
  client.setSecurity(new BearerSecurity(await sharedToken(running)));
  return client;
}

function postForm<T>(address: URL, form: Fields): Promise<T> {
  return postBody(address.href, new URLSearchParams({ f: 'json', ...form }));
}

/** The JSON that a body is answered with. A failure is an error with the words of the deployment. */
async function postBody<T>(address: string, body: URLSearchParams | FormData): Promise<T> {
  const response = await fetch(address, { method: 'POST', body });
  const reply = (await response.json()) as object;
  if ('error' in reply || !response.ok) throw new Error(wordsOf(reply));
  return reply as T;
}

function wordsOf(reply: object): string {
  const { error } = reply as { error?: { code?: number; message?: string; details?: string[] } };
  return [error?.code, error?.message, ...(error?.details ?? [])].join('; ');
}

/** The fields of section 4.2.5 that a request has. */
function upgradeFields(request: UpgradeRequest): Readonly<Record<string, string | File>> {
  const { id, settings, licenseFile, versionManifestFile, updateToLatestPatch } = request;
  return {
    versionManifest: JSON.stringify({ id }),
    ...(settings && { upgradeSettings: JSON.stringify({ userInputs: settings }) }),
    ...(licenseFile && { licenseFile: new File([licenseFile.bytes], licenseFile.name) }),
    ...(versionManifestFile && {
      versionManifestFile: new File([versionManifestFile.bytes], versionManifestFile.name),
    }),
    ...(updateToLatestPatch !== undefined && { updateToLatestPatch: String(updateToLatestPatch) }),
  };
}

function multipartOf(fields: Readonly<Record<string, string | File>>): FormData {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.set(name, value);
  return form;
}

function toDescription(service: Readonly<Record<string, string | null>>): ServiceDescription {
  const text = (name: string) => service[name] ?? '';
  return {
    name: text('Name'),
    type: text('Type'),
    url: text('Url'),
    parentType: text('ParentType'),
    capabilities: text('Capabilities'),
    description: text('Description'),
  };
}
