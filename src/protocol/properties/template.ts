import type { Numeric } from '../lenient.ts';

/**
 * The default property template of a kind of microservice (sections 2.3 to 2.5 of the interface document).
 * Members of later versions and the spelling of numbers are kept: an edit sends every member back as it was
 * read. Null counts as absent.
 */
export interface PropertyTemplate {
  readonly id: string;
  /** One of `templateModes`, or a later one; the same holds for `provider` and `type`. */
  readonly mode: string;
  readonly provider: string;
  readonly type: string;
  /** The time of the latest revision, milliseconds since the epoch. */
  readonly revision?: Numeric | null | undefined;
  readonly spec: TemplateSpec;
  /** From 11.2. The interface document leaves its position open; `placementOf` finds it here or in `spec`. */
  readonly podPlacementPolicy?: PodPlacementPolicy | null | undefined;
  readonly [member: string]: unknown;
}

/** The properties of a template. */
export interface TemplateSpec {
  readonly replicas?: Replicas | null | undefined;
  readonly containers?: readonly Container[] | null | undefined;
  readonly podPlacementPolicy?: PodPlacementPolicy | null | undefined;
  readonly [member: string]: unknown;
}

/** The number of pods (section 2.4). Absent members have their defaults. */
export interface Replicas {
  readonly min?: Numeric | null | undefined;
  readonly max?: Numeric | null | undefined;
  /** `manual` or `auto`. */
  readonly scalingMode?: string | null | undefined;
  readonly autoscaling?: Autoscaling | null | undefined;
  readonly [member: string]: unknown;
}

/** The rules that add and remove pods: `autoscaling/v2` from 11.2, `autoscaling/v1` from 10.9.1. */
export interface Autoscaling {
  readonly hpaSpec?: HpaSpec | null | undefined;
  /** In `hpaSpec` for v2, and here for v1 (section 2.4). */
  readonly hpaVersion?: string | null | undefined;
  readonly [member: string]: unknown;
}

/** The specification of an autoscaler, of either version. */
export interface HpaSpec {
  readonly hpaVersion?: string | null | undefined;
  /** Of v2. */
  readonly metrics?: readonly Metric[] | null | undefined;
  /** Of v1: a percentage. */
  readonly targetCPUUtilizationPercentage?: Numeric | null | undefined;
  readonly [member: string]: unknown;
}

/** A metric of an autoscaler of v2. */
export interface Metric {
  /** `Resource`. */
  readonly type?: string | null | undefined;
  readonly resource?:
    | {
        /** `cpu`. */
        readonly name?: string | null | undefined;
        readonly target?:
          | {
              /** `Utilization`. */
              readonly type?: string | null | undefined;
              /** A percentage, as a text. */
              readonly averageUtilization?: Numeric | null | undefined;
              readonly [member: string]: unknown;
            }
          | null
          | undefined;
        readonly [member: string]: unknown;
      }
    | null
    | undefined;
  readonly [member: string]: unknown;
}

/** A container of each pod. */
export interface Container {
  readonly name: string;
  readonly containerImageKey?: string | null | undefined;
  readonly resources?: Resources | null | undefined;
  readonly [member: string]: unknown;
}

/** The resources of a container. Memory with a unit, as `500Mi`; processors as a decimal count, as `0.125`. */
export interface Resources {
  readonly memoryMin?: Numeric | null | undefined;
  readonly memoryMax?: Numeric | null | undefined;
  readonly cpuMin?: Numeric | null | undefined;
  readonly cpuMax?: Numeric | null | undefined;
  readonly [member: string]: unknown;
}

/** The nodes for the pods of a GIS service (section 2.5). */
export interface PodPlacementPolicy {
  readonly nodeAffinity?: NodeAffinity | null | undefined;
  readonly tolerations?: readonly Toleration[] | null | undefined;
  readonly [member: string]: unknown;
}

/** The required nodes of pods. */
export interface NodeAffinity {
  readonly requiredDuringSchedulingIgnoredDuringExecution?:
    | {
        readonly nodeSelectorTerms?:
          | readonly { readonly matchExpressions?: readonly MatchExpression[] | null | undefined }[]
          | null
          | undefined;
        readonly [member: string]: unknown;
      }
    | null
    | undefined;
  readonly [member: string]: unknown;
}

/** A condition on the labels of a node. */
export interface MatchExpression {
  readonly key: string;
  /** One of `affinityOperators`. */
  readonly operator: string;
  readonly values?: readonly string[] | null | undefined;
  readonly [member: string]: unknown;
}

/** A taint of nodes that pods tolerate. */
export interface Toleration {
  /** One of `taintEffects`; absent or empty: all of them. */
  readonly effect?: string | null | undefined;
  readonly key?: string | null | undefined;
  /** One of `tolerationOperators`. */
  readonly operator?: string | null | undefined;
  readonly value?: string | null | undefined;
  readonly [member: string]: unknown;
}

/** The placement policy of a template, from either of its possible positions, with its path. */
export function placementOf(
  template: PropertyTemplate,
): { readonly path: string; readonly policy: PodPlacementPolicy } | undefined {
  const { podPlacementPolicy, spec } = template;
  if (podPlacementPolicy) return { path: 'podPlacementPolicy', policy: podPlacementPolicy };
  if (spec.podPlacementPolicy) return { path: 'spec.podPlacementPolicy', policy: spec.podPlacementPolicy };
  return undefined;
}
