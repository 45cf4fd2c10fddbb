import { lenientNumber } from '../lenient.ts';
import type { HpaSpec, Metric } from '../properties/template.ts';
import { hpaVersionOf } from './hpa-version.ts';
import type { TemplateRule } from './rule.ts';

/**
 * Autoscaling
 *
 * Version 2 requires the average utilisation of the processors as a text,
 * version 1 as a number (section 2.4 of the interface document).
 */
export const autoscalingRule: TemplateRule = ({ template, report }) => {
  const { autoscaling } = template.spec.replicas ?? {};
  if (!autoscaling) return;
  const { version } = hpaVersionOf(autoscaling);
  if (version === undefined) refuse('hpaSpec.hpaVersion', 'requires a value such as "autoscaling/v2"');
  if (version === 'autoscaling/v1') checkFirst(autoscaling.hpaSpec ?? {});
  if (version === 'autoscaling/v2') checkSecond(autoscaling.hpaSpec ?? {});

  function checkFirst({ targetCPUUtilizationPercentage: percentage }: HpaSpec): void {
    if (1 <= (lenientNumber(percentage) ?? 0)) return;
    refuse('hpaSpec.targetCPUUtilizationPercentage', 'requires a percentage from 1 on');
  }

  function checkSecond({ metrics: listed }: HpaSpec): void {
    const metrics = listed ?? [];
    if (metrics.length === 0) refuse('hpaSpec.metrics', 'requires a metric');
    metrics.forEach((metric, at) => {
      for (const [path, rule] of problemsOf(metric)) refuse(`hpaSpec.metrics[${at}].${path}`, rule);
    });
  }

  function refuse(at: string, rule: string): void {
    const path = `spec.replicas.autoscaling.${at}`;
    report({ code: 'autoscaling', severity: 'error', path, message: `"${path}" ${rule}` });
  }
};

function problemsOf({ type, resource }: Metric): (readonly [path: string, rule: string])[] {
  const { name, target } = resource ?? {};
  const utilization = target?.averageUtilization;
  const isPercentage = typeof utilization === 'string' && /^[1-9]\d{0,3}$/.test(utilization);
  return [
    ...(!type ? [['type', 'requires "Resource"'] as const] : []),
    ...(!name ? [['resource.name', 'requires "cpu"'] as const] : []),
    ...(!target?.type ? [['resource.target.type', 'requires "Utilization"'] as const] : []),
    ...(isPercentage
      ? []
      : [['resource.target.averageUtilization', 'requires a percentage as a text, such as "80"'] as const]),
  ];
}
