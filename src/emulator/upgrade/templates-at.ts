import {
  type Autoscaling,
  hpaVersionOf,
  introducedIn,
  isVersionSince,
  type PropertyTemplate,
  type Replicas,
  type VendorProfile,
} from '../../protocol/index.ts';
import { initialTemplates, newPlacement } from '../state/initial-templates.ts';
import type { State } from '../state/state.ts';
import { releaseAt, releasedAt } from './progress.ts';

/**
 * The templates of a deployment at a time. They are stored as last edited; additions of later releases are made
 * here (section 9 of the interface document). A template that a release changes gets the end of the upgrade as
 * its revision.
 */
export function templatesAt(state: State, now: number, profile: VendorProfile): readonly PropertyTemplate[] {
  const { version } = releaseAt(state, now);
  if (version === (state.templatesVersion ?? state.release.version)) return state.templates;
  const revision = releasedAt(state, now);
  const stored = state.templates.map((template) => migrate(template, version, revision));
  const isNew = ({ id }: PropertyTemplate) => stored.every((each) => each.id !== id);
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
