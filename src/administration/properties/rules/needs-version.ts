import { introduced, knows, type PropertyTemplate, placementOf } from '../../../protocol/index.ts';
import { hpaVersionOf } from '../hpa-version.ts';
import type { Rule } from '../rule.ts';

/**
 * Needs version
 *
 * Members and values were added over time (section 9 of the interface document): a deployment of an older
 * version does not have them. Without a version this rule finds nothing.
 */
export const needsVersion: Rule = ({ template, version, report }) => {
  if (version === undefined) return;
  for (const { path, what, since } of needsOf(template)) {
    if (knows(version, since)) continue;
    const message = `${what} requires version ${since}, and the deployment has ${version}`;
    report({ code: 'needs-version', severity: 'error', path, message });
  }
  const { autoscaling } = template.spec.replicas ?? {};
  if (!autoscaling || !knows(version, introduced.autoscalingV2)) return;
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
  if (template.type === 'WebhookProcessor') need('type', '"WebhookProcessor"', introduced.webhookProcessor);
  if (scalingMode === 'manual') need('spec.replicas.scalingMode', '"manual"', introduced.manualScaling);
  if (autoscaling) {
    const { version, path } = hpaVersionOf(autoscaling);
    if (version === 'autoscaling/v1') need(path, '"autoscaling/v1"', introduced.autoscalingV1);
    if (version === 'autoscaling/v2') need(path, '"autoscaling/v2"', introduced.autoscalingV2);
  }
  const placement = placementOf(template);
  if (placement) need(placement.path, '"podPlacementPolicy"', introduced.podPlacementPolicy);
  return needs;
}
