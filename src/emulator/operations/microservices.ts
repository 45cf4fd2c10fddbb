import { createHash } from 'node:crypto';
import { microservicesPath, type PropertyTemplate, progressOf } from '../../protocol/index.ts';
import { type Operation, refuseWith } from '../site/operation.ts';
import type { Site } from '../site/site.ts';
import { progressAt } from '../upgrade/progress.ts';

/** The microservices: one for each template (public documentation of `system/deployments`). */
export function microservicesOperation(site: Site): Operation {
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

/** State of a microservice: all of its pods run, except while an upgrade replaces them. */
export function microserviceStatusOperation(site: Site): Operation {
  return {
    name: 'microserviceStatus',
    title: 'Status of a microservice',
    path: `${site.root}${microservicesPath}/:id/status`,
    methods: ['GET', 'POST'],
    privilege: 'manageProperties',
    fields: [],
    run: ({ id }) => {
      const { templates } = site.state.read();
      const template = templates.find((each) => deploymentIdOf(each) === id);
      if (!template) return notFound;
      const pods = template.spec.replicas?.min ?? 1;
      const readyReplicas = template === replacedBy(site) ? 0 : pods;
      const name = nameOf(template);
      const body = {
        ...{ id, name, currentState: 'STARTED', readyReplicas, totalReplicas: pods },
        kubernetesResourceKind: isStore(template) ? 'StatefulSet' : 'Deployment',
        kubernetesResourceName: `gis-${id}-${name}`,
      };
      return { kind: 'body', body };
    },
  };
}

/** The template of the microservice whose pods an upgrade replaces now; one at a time. */
function replacedBy(site: Site): PropertyTemplate | undefined {
  const state = site.state.read();
  const { stage, counted } = progressOf(progressAt(state, site.now()).status);
  if (stage !== 'running' || !counted || counted.of <= counted.done) return undefined;
  return state.templates[Math.floor((counted.done / counted.of) * state.templates.length)];
}

/** An identifier that edits of the template do not change. */
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

const notFound = refuseWith(404, 'Deployment not found.', 'There is no microservice with this identifier.');
