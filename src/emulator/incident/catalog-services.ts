import type { ServiceDescription } from '../../protocol/index.ts';
import { jobServices, publishedServices } from './cast.ts';

/** Capabilities of a service in the catalog, by its type. */
const capabilities: Readonly<Record<string, string>> = {
  FeatureServer: 'Query,Create,Update,Delete,Editing',
  MapServer: 'Map,Query,Data',
  TileServer: 'TilesOnly',
  GPServer: 'Uploads',
};

/** A service outside all folders. It has no logs in the incident. */
const rootService = { name: 'Overview.MapServer', type: 'MapServer' } as const;

/**
 * Services of the deployment, including those with logs in the incident, as the catalog at an address describes
 * them.
 */
export function incidentServices(catalog: string): readonly ServiceDescription[] {
  return [rootService, ...publishedServices, ...jobServices].map(({ name: source, type }) => {
    const name = source.slice(0, -type.length - 1);
    return {
      name,
      type,
      url: `${catalog}/${name}/${type}`,
      parentType: '',
      capabilities: capabilities[type] ?? '',
      description: '',
    };
  });
}

/** The folders that services are in, each once and in their order. */
export function foldersOf(described: readonly ServiceDescription[]): readonly string[] {
  return [...new Set(described.map(folderOf))].filter((folder) => folder !== '').toSorted();
}

/** The folder of a service, empty for the root. */
export function folderOf({ name }: ServiceDescription): string {
  return name.includes('/') ? name.slice(0, name.lastIndexOf('/')) : '';
}
