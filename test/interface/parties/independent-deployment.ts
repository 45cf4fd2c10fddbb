import type { IncomingMessage } from 'node:http';
import JSZip from 'jszip';
import { type Client, openClient } from '../../../src/client/client.ts';
import { addressesFor, noPause } from '../../client/deployment.ts';
import { serve } from '../../client/http-server.ts';
import { finishedJob, settingsExample, statusExample, templateExample, updateExample } from './examples.ts';

/** A request as it arrived. */
export interface Arrived {
  readonly method: string;
  /** The path below the address of the deployment, without the parameters. */
  readonly path: string;
  readonly search: URLSearchParams;
  readonly type: string;
  readonly headers: IncomingMessage['headers'];
  readonly text: string;
  /** The fields of a form, of either type; empty for other bodies. */
  readonly form: FormData;
}

/** JSON for an object, XML for a text, a zip for bytes. */
type Answer = object | string | Uint8Array;

/** A deployment written by hand from the interface document, which shares no code with the product. */
export interface IndependentDeployment extends AsyncDisposable {
  readonly url: string;
  /** Its `{root}`. */
  readonly root: string;
  /** Our client, signed in by a token. */
  readonly client: Client;
  /** The requests since the last reset. */
  readonly arrived: readonly Arrived[];
  /** The last request of those below a path. */
  readonly last: (path?: string) => Arrived;
  /** Answers a path, or an operation of the catalog, in another way from now on. */
  readonly answer: (path: string, answer: Answer | ((arrived: Arrived) => Answer)) => void;
  /** Has the zip at the address of the upload itself, and nothing below it. */
  readonly moveZip: () => void;
  /** Forgets requests and other answers. */
  readonly reset: () => void;
}

const context = '/enterprise';
const uploadPath = '/admin/uploads/logs-17';

/** Starts one on loopback. */
export async function startIndependent(): Promise<IndependentDeployment> {
  const arrived: Arrived[] = [];
  const others = new Map<string, Answer | ((arrived: Arrived) => Answer)>();
  let usual: Readonly<Record<string, Answer>> = {};
  const server = await serve(async (request, response) => {
    const seen = await toArrived(request);
    arrived.push(seen);
    const name = seen.path === '/services' ? operationIn(seen.text) : seen.path;
    const found = others.get(name) ?? usual[name];
    const answer = typeof found === 'function' ? found(seen) : (found ?? missing);
    response.writeHead(200, { 'content-type': typeOf(answer) });
    if (answer instanceof Uint8Array || typeof answer === 'string') response.end(answer);
    else response.end(JSON.stringify(answer));
  });
  const url = server.url + context;
  const root = `${url}/admin`;
  usual = { ...catalogAnswers(url), ...(await administrativeAnswers(root)) };
  const client = openClient({
    addresses: addressesFor(url),
    credentials: { kind: 'token', token: 'token-17' },
    retry: noPause,
  });
  return {
    url,
    root,
    client,
    arrived,
    last: (path) => {
      const found = arrived.findLast((each) => path === undefined || each.path === path);
      if (!found) throw new Error(`Nothing arrived at "${path ?? 'any path'}"`);
      return found;
    },
    answer: (path, answer) => void others.set(path, answer),
    moveZip: () => {
      others.set(uploadPath, usual[`${uploadPath}/download`] ?? missing);
      others.set(`${uploadPath}/download`, missing);
    },
    reset: () => {
      arrived.length = 0;
      others.clear();
    },
    [Symbol.asyncDispose]: async () => {
      await client[Symbol.asyncDispose]();
      await server[Symbol.asyncDispose]();
    },
  };
}

async function toArrived(request: IncomingMessage): Promise<Arrived> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of request) chunks.push(chunk);
  const bytes = Buffer.concat(chunks);
  const type = request.headers['content-type'] ?? '';
  const { pathname, searchParams } = new URL(request.url ?? '', 'http://here');
  const isForm = /^(multipart\/form-data|application\/x-www-form-urlencoded)/.test(type);
  const body = new Response(bytes, { headers: { 'content-type': type } });
  return {
    method: request.method ?? '',
    path: pathname.slice(context.length),
    search: searchParams,
    type,
    headers: request.headers,
    text: bytes.toString('utf8'),
    form: isForm ? await body.formData() : new FormData(),
  };
}

function typeOf(answer: Answer): string {
  if (typeof answer === 'string') return 'text/xml; charset=utf-8';
  return answer instanceof Uint8Array ? 'application/zip' : 'application/json';
}

const missing = { error: { code: 404, message: 'Nothing is here', details: [] } };

function operationIn(message: string): string {
  return /<(?:\w+:)?Body[^>]*>\s*<(?:\w+:)?(\w+)/.exec(message)?.[1] ?? '';
}

/** The SOAP message of a reply, with a prefix and a layout of its own. */
export function soapReply(operation: string, content: string): string {
  return `<?xml version='1.0'?>
<e:Envelope xmlns:e="http://schemas.xmlsoap.org/soap/envelope/">
  <e:Body>
    <m:${operation}Response xmlns:m="http://vendor.example/schemas/services/3.3.0">${content}</m:${operation}Response>
  </e:Body>
</e:Envelope>`;
}

/** The content of a reply with these services, each a record by the names of section 2.1. */
export function servicesReply(
  operation: string,
  services: readonly Readonly<Record<string, string>>[],
): string {
  const items = services.map((service) => {
    const parts = Object.entries(service).map(([name, value]) => `<${name}>${value}</${name}>`);
    return `<ServiceDescription>${parts.join('')}</ServiceDescription>`;
  });
  return soapReply(operation, `<ServiceDescriptions>${items.join('')}</ServiceDescriptions>`);
}

/** A service by the names of section 2.1. */
export const serviceExample = {
  Name: 'Roads/Bridges',
  Type: 'MapServer',
  Url: 'https://gis.example/services/Roads/Bridges/MapServer',
  ParentType: 'FeatureServer',
  Capabilities: 'Map,Query',
  Description: 'All bridges',
} as const;

function catalogAnswers(url: string): Readonly<Record<string, string>> {
  const versions =
    '<MessageVersion>vendorVersion107</MessageVersion><ProMessageVersion>vendorProVersion2_9</ProMessageVersion>';
  return {
    GetMessageVersion: soapReply('GetMessageVersion', versions),
    GetMessageFormats: soapReply(
      'GetMessageFormats',
      '<MessageFormats>vendorServiceCatalogMessageFormatSoapOrBin</MessageFormats>',
    ),
    GetTokenServiceURL: soapReply('GetTokenServiceURL', `<TokenServiceURL>${url}/tokens</TokenServiceURL>`),
    GetFolders: soapReply(
      'GetFolders',
      '<FolderNames><String>Roads</String><String>Rail</String></FolderNames>',
    ),
    GetServiceDescriptions: servicesReply('GetServiceDescriptions', [serviceExample]),
    GetServiceDescriptionsEx: servicesReply('GetServiceDescriptionsEx', [serviceExample]),
    RequiresTokens: soapReply('RequiresTokens', '<Result>false</Result>'),
  };
}

/** The logs in the zip of this deployment. */
export const logsExample = [{ time: 1_663_000_000_000, logLevel: 'SEVERE', msg: 'A bridge is closed' }];

async function administrativeAnswers(root: string): Promise<Readonly<Record<string, Answer>>> {
  const zip = new JSZip().file('logs.json', logsExample.map((log) => `${JSON.stringify(log)}\n`).join(''));
  const templates = '/admin/system/deployments/properties';
  const upgrades = '/admin/system/upgrades';
  const started = { state: 'in_progress', code: 1, messages: statusExample.messages.slice(0, 1) };
  return {
    '/admin/logs/export': { jobsUrl: `${root}/jobs/j-17`, jobid: 'j-17', status: 'SUBMITTED' },
    '/admin/jobs/j-17': finishedJob(root),
    [`${uploadPath}/download`]: await zip.generateAsync({ type: 'uint8array' }),
    '/admin/uploads/upload': { success: true, item: { itemID: 'upload-17', itemName: 'license.json' } },
    [templates]: { properties: [templateExample] },
    [`${templates}/${templateExample.id}`]: templateExample,
    [`${templates}/${templateExample.id}/edit`]: { status: 'success' },
    [upgrades]: { status: statusExample },
    [`${upgrades}/available`]: { versions: [updateExample] },
    [`${upgrades}/getUpgradeSettings`]: { userInputs: settingsExample },
    [`${upgrades}/checkRollback`]: { updates: [updateExample] },
    [`${upgrades}/upgrade`]: { status: started },
    [`${upgrades}/rollback`]: { status: started },
  };
}
