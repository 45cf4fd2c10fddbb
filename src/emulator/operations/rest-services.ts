import type { ServiceDescription } from '../../protocol/index.ts';
import { catalogPath } from '../../protocol/index.ts';
import { folderOf, foldersOf, incidentServices } from '../incident/catalog-services.ts';
import { type Answer, type CheckedRequest, type Operation, refuseWith } from '../site/operation.ts';
import type { Site } from '../site/site.ts';

/** The services outside all folders, and the folders, in JSON as public clients read them. */
export function restServicesOperation(site: Site): Operation {
  return {
    name: 'restServices',
    title: 'Services',
    path: servicesPath(site),
    methods: ['GET', 'POST'],
    fields: [],
    run: (call) => list(site, call),
  };
}

/** The services in a folder. */
export function restFolderOperation(site: Site): Operation {
  return {
    ...restServicesOperation(site),
    name: 'restFolder',
    title: 'Folder',
    path: `${servicesPath(site)}/:id`,
  };
}

function servicesPath({ context }: Site): string {
  return `${context}/rest/services`;
}

function list({ context, settings }: Site, { id, identify, origin }: CheckedRequest): Answer {
  const user = settings.requiresTokens ? identify() : undefined;
  if (user && 'kind' in user) return user;
  const described = incidentServices(origin + context + catalogPath);
  const folders = foldersOf(described);
  if (id !== '' && !folders.includes(id)) return refuseWith(404, 'Folder not found.');
  const services = described.filter((each) => folderOf(each) === id).map(toItem);
  return { kind: 'body', body: { folders: id === '' ? folders : [], services } };
}

function toItem({ name, type }: ServiceDescription): object {
  return { name, type };
}
