import { vendorProfiles } from '../catalog/profile.ts';
import {
  affinityOperators,
  hpaVersions,
  taintEffects,
  templateModes,
  templateProviders,
  templateTypes,
  tolerationOperators,
} from '../properties/known-values.ts';
import { type PropertyTemplate, placementOf } from '../properties/template.ts';
import { hpaVersionOf } from './hpa-version.ts';
import type { TemplateRule } from './rule.ts';

/**
 * Unknown value
 *
 * The enumerations of the interface are open: a later version may have more values. An unknown value is more
 * often a slip.
 */
export const unknownValueRule: TemplateRule = ({ template, report }) => {
  for (const { path, value, known } of valuesOf(template)) {
    if (!value || known.includes(value)) continue;
    const message = `"${path}" has the value "${value}", and known are ${known.map((each) => `"${each}"`).join(', ')}`;
    report({ code: 'unknown-value', severity: 'warning', path, message });
  }
};

/** The providers in the spellings of all profiles. */
const providers = [
  ...new Set(Object.values(vendorProfiles).flatMap((profile) => templateProviders(profile))),
];

interface Chosen {
  readonly path: string;
  readonly value: string | null | undefined;
  readonly known: readonly string[];
}

function valuesOf(template: PropertyTemplate): readonly Chosen[] {
  const { autoscaling } = template.spec.replicas ?? {};
  const hpa = autoscaling ? hpaVersionOf(autoscaling) : undefined;
  const metrics = autoscaling?.hpaSpec?.metrics ?? [];
  return [
    { path: 'mode', value: template.mode, known: templateModes },
    { path: 'provider', value: template.provider, known: providers },
    { path: 'type', value: template.type, known: templateTypes },
    ...(hpa ? [{ path: hpa.path, value: hpa.version, known: hpaVersions }] : []),
    ...metrics.flatMap(({ type, resource }, index) => {
      const path = `spec.replicas.autoscaling.hpaSpec.metrics[${index}]`;
      return [
        { path: `${path}.type`, value: type, known: ['Resource'] },
        { path: `${path}.resource.name`, value: resource?.name, known: ['cpu'] },
        { path: `${path}.resource.target.type`, value: resource?.target?.type, known: ['Utilization'] },
      ];
    }),
    ...placementValues(template),
  ];
}

function placementValues(template: PropertyTemplate): readonly Chosen[] {
  const { path: at, policy } = placementOf(template) ?? {};
  const required = policy?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution;
  const terms = required?.nodeSelectorTerms ?? [];
  const term = `${at}.nodeAffinity.requiredDuringSchedulingIgnoredDuringExecution.nodeSelectorTerms`;
  return [
    ...terms.flatMap(({ matchExpressions }, first) =>
      (matchExpressions ?? []).map(({ operator }, second) => ({
        path: `${term}[${first}].matchExpressions[${second}].operator`,
        value: operator,
        known: affinityOperators,
      })),
    ),
    ...(policy?.tolerations ?? []).flatMap(({ effect, operator }, index) => [
      { path: `${at}.tolerations[${index}].effect`, value: effect, known: taintEffects },
      { path: `${at}.tolerations[${index}].operator`, value: operator, known: tolerationOperators },
    ]),
  ];
}
