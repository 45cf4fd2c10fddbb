import {
  type CatalogOptions,
  type Client,
  getFolders,
  getMessageFormats,
  getMessageVersion,
  getServiceDescriptions,
  getServiceDescriptionsEx,
  getTokenServiceUrl,
  openClient,
  requiresTokens,
} from '../../client/index.ts';
import { type ServiceDescription, sourceOf, vendorProfiles, versionInWords } from '../../protocol/index.ts';
import type { CommandCall, RunCommand } from '../command-line/command.ts';
import { exitCodes } from '../command-line/exit-code.ts';
import { writeOutput } from '../command-line/write-output.ts';
import {
  type Connection,
  readAnonymousConnection,
  readOptionalConnection,
} from '../deployment/connection.ts';
import { formatTable } from '../output/table.ts';
import type { catalogFoldersSpec, catalogInfoSpec, catalogServicesSpec } from '../specs/deployment-specs.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { escapeUnsafe, toJson, wrapLines } from '../terminal/text.ts';

/** Shows the versions and formats of the catalog, and its token service. */
export const catalogInfoCommand: RunCommand<typeof catalogInfoSpec> = async ({ options, terminal }) => {
  // The information needed to get a token is public.
  await using client = await openCatalog(options, terminal, async () => false);
  const catalogOptions = askedBy(options, terminal);
  const info = {
    ...(await getMessageVersion(client, catalogOptions)),
    messageFormats: await getMessageFormats(client, catalogOptions),
    requiresTokens: await requiresTokens(client, catalogOptions),
    tokenServiceUrl: await getTokenServiceUrl(client, catalogOptions),
  };
  await terminal.print(
    options.json ? `${toJson(info, 2)}\n` : wrapLines(infoText(info), terminal.stdout.width),
  );
  return exitCodes.done;
};

/** Lists the folders. */
export const catalogFoldersCommand: RunCommand<typeof catalogFoldersSpec> = async ({ options, terminal }) => {
  await using client = await openCatalog(options, terminal);
  const folders = await getFolders(client, askedBy(options, terminal));
  await terminal.print(options.json ? `${toJson(folders, 2)}\n` : lines(folders));
  return exitCodes.done;
};

/** Lists the services. */
export const catalogServicesCommand: RunCommand<typeof catalogServicesSpec> = async ({
  options,
  terminal,
}) => {
  await using client = await openCatalog(options, terminal);
  const services = await servicesOf(client, options, askedBy(options, terminal));
  await writeOutput(servicesText(services, options, terminal), { path: options.out, terminal });
  if (services.length === 0) terminal.message(`The catalog has no services${placeOf(options)}.`);
  return exitCodes.done;
};

type Options = CommandCall<typeof catalogServicesSpec>['options'];

function placeOf({ folder }: Options): string {
  if (folder === undefined) return '';
  return folder === '' ? ' in the root folder' : ` in the folder "${escapeUnsafe(folder)}"`;
}

type Common = CommandCall<typeof catalogInfoSpec>['options'];

async function openCatalog(
  options: Common,
  terminal: Terminal,
  isRequired = (anonymous: Connection) => requiresToken(anonymous, askedBy(options, terminal)),
): Promise<Client> {
  const connection = options.anonymous
    ? await readAnonymousConnection(options, terminal)
    : await readOptionalConnection(options, terminal, isRequired);
  return openClient({ ...connection, ...(options.tokenInUrl && { soapToken: 'address' as const }) });
}

async function requiresToken(anonymous: Connection, options: CatalogOptions): Promise<boolean> {
  await using client = openClient(anonymous);
  return await requiresTokens(client, options);
}

function askedBy({ names = 'default' }: Common, terminal: Terminal): CatalogOptions {
  return { profile: vendorProfiles[names], signal: terminal.interruption() };
}

async function servicesOf(
  client: Client,
  { all, folder }: Options,
  options: CatalogOptions,
): Promise<readonly ServiceDescription[]> {
  if (folder !== undefined) return getServiceDescriptionsEx(client, folder, options);
  if (!all) return getServiceDescriptions(client, options);
  const found: ServiceDescription[] = [];
  // Sequential, to spare a catalog with a hundred folders.
  for (const name of ['', ...(await getFolders(client, options))]) {
    found.push(...(await getServiceDescriptionsEx(client, name, options)));
  }
  return [...new Map(found.map((service) => [sourceOf(service), service])).values()];
}

function servicesText(
  services: readonly ServiceDescription[],
  options: Options,
  { stdout }: Terminal,
): string {
  if (options.json) return `${toJson(services, 2)}\n`;
  // Input for other programs: distinct and sorted.
  if (options.sources) return lines([...new Set(services.map(sourceOf))].toSorted());
  if (options.tree) return serviceTree(services);
  const columns = [
    { name: 'name' },
    { name: 'type' },
    { name: 'capabilities', canShrink: true },
    { name: 'url' },
  ];
  const rows = services.map(({ name, type, capabilities, url }) => [name, type, capabilities, url]);
  return `${formatTable(columns, rows, stdout).join('\n')}\n`;
}

function infoText(info: {
  readonly messageVersion: string;
  readonly proMessageVersion?: string;
  readonly messageFormats: string;
  readonly requiresTokens: boolean;
  readonly tokenServiceUrl: string;
}): string {
  const version = (value: string) => `${versionInWords(value)} (${value})`;
  return lines([
    `message version      ${version(info.messageVersion)}`,
    ...(info.proMessageVersion === undefined
      ? []
      : [`desktop version      ${version(info.proMessageVersion)}`]),
    `message formats      ${info.messageFormats}`,
    `tokens are required  ${info.requiresTokens ? 'yes' : 'no'}`,
    `token service        ${info.tokenServiceUrl || 'none'}`,
  ]);
}

function lines(texts: readonly string[]): string {
  return texts.map((text) => `${escapeUnsafe(text)}\n`).join('');
}

/** Formats services as a tree, folders first; each line ends with a line feed. */
function serviceTree(services: readonly ServiceDescription[]): string {
  const root = newFolder();
  for (const { name, type } of services) {
    const steps = name.split('/');
    const folder = steps.slice(0, -1).reduce(folderIn, root);
    folder.services.push(`${steps.at(-1)} (${type})`);
  }
  return `.\n${linesOf(root, '').join('')}`;
}

interface Folder {
  readonly folders: Map<string, Folder>;
  readonly services: string[];
}

function newFolder(): Folder {
  return { folders: new Map(), services: [] };
}

function folderIn({ folders }: Folder, name: string): Folder {
  const found = folders.get(name) ?? newFolder();
  folders.set(name, found);
  return found;
}

function linesOf({ folders, services }: Folder, before: string): string[] {
  const names = [...folders.keys()].toSorted();
  const items = [...names, ...services.toSorted()];
  return items.flatMap((item, at) => {
    const isLast = at === items.length - 1;
    const inside = at < names.length ? folders.get(item) : undefined;
    const line = `${before}${isLast ? '└── ' : '├── '}${escapeUnsafe(item)}${inside ? '/' : ''}\n`;
    return [line, ...(inside ? linesOf(inside, before + (isLast ? '    ' : '│   ')) : [])];
  });
}
