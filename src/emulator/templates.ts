import {
  type Autoscaling,
  checkTemplate,
  fromEditForm,
  hpaVersionOf,
  introducedIn,
  isVersionSince,
  lenientNumber,
  type PropertyTemplate,
  propertiesPath,
  type Replicas,
  type VendorProfile,
} from '../protocol/index.ts';
import { writeExactJson } from '../records/index.ts';
import { templateEditedLog } from './activity.ts';
import {
  type Answer,
  type CheckedRequest,
  type Operation,
  type RefusalAnswer,
  refuseWith,
} from './operation.ts';
import type { Site } from './site.ts';
import { initialTemplates, newPlacement, type State } from './state.ts';
import { releaseAt, releasedAt } from './upgrade.ts';

/**
 * All default property templates (section 2.3 of the interface document). The name of their list is not
 * documented.
 */
export function templatesOperation(site: Site): Operation {
  return {
    name: 'templates',
    title: 'Default properties',
    path: site.root + propertiesPath,
    methods: ['GET', 'POST'],
    privilege: 'manageProperties',
    since: introducedIn.editProperties,
    fields: [],
    run: () => ({ kind: 'body', body: { properties: templatesOf(site) } }),
  };
}

/** One default property template. */
export function templateOperation(site: Site): Operation {
  return {
    name: 'template',
    title: 'Default properties of a microservice',
    path: `${site.root}${propertiesPath}/:id`,
    methods: ['GET', 'POST'],
    privilege: 'manageProperties',
    since: introducedIn.editProperties,
    fields: [],
    run: ({ id }) => {
      const found = templateWith(site, id);
      return found ? { kind: 'body', body: found } : notFound;
    },
  };
}

/** Edits a default property template (section 4.2.2 of the interface document). */
export function editTemplateOperation(site: Site): Operation {
  return {
    name: 'editTemplate',
    title: 'Edit default properties',
    path: `${site.root}${propertiesPath}/:id/edit`,
    methods: ['POST'],
    reads: 'urlencoded',
    privilege: 'manageProperties',
    since: introducedIn.editProperties,
    closed: 'in read-only mode',
    fields: [
      {
        name: 'propertyJson',
        type: 'lines',
        required: true,
        hint: 'The whole template: mode, provider, id, type and revision stay as they are',
      },
    ],
    initialForm: ({ id }) => {
      const found = templateWith(site, id);
      if (!found) return notFound;
      return { kind: 'form', values: { propertyJson: writeExactJson(found, 2) } };
    },
    run: (call) => edit(site, call),
  };
}

async function edit(site: Site, { id, form, user, requestID }: CheckedRequest): Promise<Answer> {
  const original = templateWith(site, id);
  if (!original) return notFound;
  const read = fromEditForm(form);
  if ('findings' in read) return invalid(read.findings);
  const now = site.now();
  const { version } = releaseAt(site.state.read(), now);
  const errors = checkTemplate(read.template, { original, version }).findings.filter(
    ({ severity }) => severity === 'error',
  );
  if (errors.length > 0) return invalid(errors);
  // Each edit gets a new revision, also within one millisecond.
  const revision = Math.max(now, (lenientNumber(original.revision) ?? 0) + 1);
  const edited = { ...read.template, revision };
  await site.state.change((state) => ({
    ...state,
    templates: templatesAt(state, now, site.settings.profile).map((template) =>
      template.id === id ? edited : template,
    ),
    templatesVersion: version,
  }));
  site.record(templateEditedLog(now, { id, requestID, username: user?.username ?? '' }));
  return { kind: 'body', body: { status: 'success' } };
}

function templateWith(site: Site, id: string): PropertyTemplate | undefined {
  return templatesOf(site).find((template) => template.id === id);
}

function templatesOf({ state, now, settings }: Site): readonly PropertyTemplate[] {
  return templatesAt(state.read(), now(), settings.profile);
}

function invalid(findings: readonly { readonly message: string }[]): Answer {
  return refuseWith(400, 'Invalid parameters.', ...findings.map(({ message }) => message));
}

const notFound: RefusalAnswer = refuseWith(
  404,
  'Template not found.',
  'There is no property template with this identifier.',
);

/**
 * The templates of a deployment at a time. They are stored as last edited; additions of later releases are made
 * here (section 9 of the interface document). A template that a release changes gets the end of the upgrade as
 * its revision.
 */
function templatesAt(state: State, now: number, profile: VendorProfile): readonly PropertyTemplate[] {
  const { version } = releaseAt(state, now);
  if (version === (state.templatesVersion ?? state.release.version)) return state.templates;
  const revision = releasedAt(state, now);
  const stored = state.templates.map((template) => migrate(template, version, revision));
  const isNew = ({ id }: PropertyTemplate) => stored.every((template) => template.id !== id);
  return [...stored, ...initialTemplates(version, profile, revision).filter(isNew)].sort(byId);
}

function byId(a: PropertyTemplate, b: PropertyTemplate): number {
  return a.id < b.id ? -1 : 1;
}

function migrate(template: PropertyTemplate, version: string, revision: number): PropertyTemplate {
  const { replicas } = template.spec;
  const migrated = replicas && migrateReplicas(replicas, version);
  const placement = newPlacement(template, version);
  if (migrated === replicas && !placement) return template;
  const spec = { ...template.spec, ...(migrated && { replicas: migrated }) };
  return { ...template, spec, ...placement, revision };
}

function migrateReplicas(replicas: Replicas, version: string): Replicas {
  const { min = 1, scalingMode, autoscaling } = replicas;
  if (scalingMode === undefined && !autoscaling && isVersionSince(version, introducedIn.manualScaling)) {
    // The number is fixed from this version on: both bounds are the least number of pods.
    return { ...replicas, min, max: min, scalingMode: 'manual' };
  }
  const isFirst = autoscaling && hpaVersionOf(autoscaling).version === 'autoscaling/v1';
  if (!isFirst || !isVersionSince(version, introducedIn.autoscalingV2)) return replicas;
  return { ...replicas, autoscaling: secondVersion(autoscaling) };
}

/** Converts an autoscaling from version 1 to version 2 (section 2.4 of the interface document). */
function secondVersion({ hpaSpec }: Autoscaling): Autoscaling {
  const averageUtilization = String(hpaSpec?.targetCPUUtilizationPercentage ?? 80);
  const target = { type: 'Utilization', averageUtilization };
  return {
    hpaSpec: {
      metrics: [{ type: 'Resource', resource: { name: 'cpu', target } }],
      hpaVersion: 'autoscaling/v2',
    },
  };
}
