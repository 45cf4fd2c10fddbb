import { createHash } from 'node:crypto';
import { microservicesPath, type PropertyTemplate } from '../../protocol/index.ts';
import { type Operation, refuse } from '../operation.ts';
import type { Site } from '../site.ts';

/** The microservices: one of each kind that there is a template for (public documentation of `system/deployments`). */
export function microservices(site: Site): Operation {
  return {
    name: 'microservices',
    title: 'Microservices',
    path: site.root + microservicesPath,
    methods: ['GET', 'POST'],
    privilege: 'manageProperties',
    fields: [],
    run: () => {
      const deployments = site.state.read().templates.map((template) => ({
        deploymentId: deploymentIdOf(template),
        name: nameOf(template),
        ...{ type: template.type, provider: template.provider, mode: template.mode },
      }));
      return { kind: 'body', body: { deployments } };
    },
  };
}

/** How a microservice stands: all of its pods run. */
export function microserviceStatus(site: Site): Operation {
  return {
    name: 'microserviceStatus',
    title: 'Status of a microservice',
    path: `${site.root}${microservicesPath}/:id/status`,
    methods: ['GET', 'POST'],
    privilege: 'manageProperties',
    fields: [],
    run: ({ id }) => {
      const template = site.state.read().templates.find((each) => deploymentIdOf(each) === id);
      if (!template) return notFound;
      const pods = template.spec.replicas?.min ?? 1;
      const name = nameOf(template);
      const body = {
        ...{ id, name, currentState: 'STARTED', readyReplicas: pods, totalReplicas: pods },
        kubernetesResourceKind: isStore(template) ? 'StatefulSet' : 'Deployment',
        kubernetesResourceName: `gis-${id}-${name}`,
      };
      return { kind: 'body', body };
    },
  };
}

/** Stays the same for a template, whatever is edited in it. */
function deploymentIdOf({ id }: PropertyTemplate): string {
  return `k${createHash('sha256').update(id).digest('hex').slice(0, 20)}`;
}

function nameOf({ type, mode }: PropertyTemplate): string {
  const prefix = mode === 'Undefined' ? '' : `${mode}-`;
  return `${prefix}${type}`.toLowerCase();
}

function isStore({ type }: PropertyTemplate): boolean {
  return /Store$|^QueueServer$/.test(type);
}

const notFound = refuse(404, 'Deployment not found.', 'There is no microservice with this identifier.');
