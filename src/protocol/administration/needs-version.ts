import { type PropertyTemplate, placementOf } from '../properties/template.ts';
import { introducedIn, isVersionSince } from '../versions.ts';
import { hpaVersionOf } from './hpa-version.ts';
import type { TemplateRule } from './rule.ts';

/**
 * Needs version
 *
 * Members and values were added over time (section 9 of the interface document): a deployment of an older
 * version does not have them. Without a version this rule finds nothing.
 */
export const needsVersionRule: TemplateRule = ({ template, version, report }) => {
  if (version === undefined) return;
  for (const { path, what, since } of needsOf(template)) {
    if (isVersionSince(version, since)) continue;
    const message = `${what} requires version ${since}, and the deployment has ${version}`;
    report({ code: 'needs-version', severity: 'error', path, message });
  }
  const { autoscaling } = template.spec.replicas ?? {};
  if (!autoscaling || !isVersionSince(version, introducedIn.autoscalingV2)) return;
  const hpa = hpaVersionOf(autoscaling);
  if (hpa.version !== 'autoscaling/v1') return;
  const message = `"autoscaling/v1" is that of older versions: ${version} describes "autoscaling/v2"`;
  report({ code: 'needs-version', severity: 'warning', path: hpa.path, message });
};

interface Need {
  readonly path: string;
  readonly what: string;
  readonly since: string;
}

function needsOf(template: PropertyTemplate): readonly Need[] {
  const { scalingMode, autoscaling } = template.spec.replicas ?? {};
  const needs: Need[] = [];
  const need = (path: string, what: string, since: string) => needs.push({ path, what, since });
  if (template.type === 'WebhookProcessor') need('type', '"WebhookProcessor"', introducedIn.webhookProcessor);
  if (scalingMode === 'manual') need('spec.replicas.scalingMode', '"manual"', introducedIn.manualScaling);
  if (autoscaling) {
    const { version, path } = hpaVersionOf(autoscaling);
    if (version === 'autoscaling/v1') need(path, '"autoscaling/v1"', introducedIn.autoscalingV1);
    if (version === 'autoscaling/v2') need(path, '"autoscaling/v2"', introducedIn.autoscalingV2);
  }
  const placement = placementOf(template);
  if (placement) need(placement.path, '"podPlacementPolicy"', introducedIn.podPlacementPolicy);
  return needs;
}
