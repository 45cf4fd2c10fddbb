import type { Numeric } from '../lenient.ts';

/**
 * The default property template of a kind of microservice (sections 2.3 to 2.5
 * of the interface document). What a deployment adds to it in a later version
 * is kept, and so is how it writes its numbers: an edit sends back every member
 * as it was read. What is null counts as absent.
 */
export interface PropertyTemplate {
  readonly id: string;
  /** One of `templateModes`, or one that came later; so are `provider` and `type`. */
  readonly mode: string;
  readonly provider: string;
  readonly type: string;
  /** The time of the latest revision, milliseconds since the epoch. */
  readonly revision?: Numeric | null | undefined;
  readonly spec: TemplateSpec;
  /** From 11.2. The interface document leaves open where it is; `placementOf` finds it here or in `spec`. */
  readonly podPlacementPolicy?: PodPlacementPolicy | null | undefined;
  readonly [member: string]: unknown;
}

/** What a template lays down. */
export interface TemplateSpec {
  readonly replicas?: Replicas | null | undefined;
  readonly containers?: readonly Container[] | null | undefined;
  readonly podPlacementPolicy?: PodPlacementPolicy | null | undefined;
  readonly [member: string]: unknown;
}

/** How many pods there are (section 2.4). What is absent has its default. */
export interface Replicas {
  readonly min?: Numeric | null | undefined;
  readonly max?: Numeric | null | undefined;
  /** `manual` or `auto`. */
  readonly scalingMode?: string | null | undefined;
  readonly autoscaling?: Autoscaling | null | undefined;
  readonly [member: string]: unknown;
}

/** When pods are added and taken away: `autoscaling/v2` from 11.2, `autoscaling/v1` from 10.9.1. */
export interface Autoscaling {
  readonly hpaSpec?: HpaSpec | null | undefined;
  /** Section 2.4 has it in `hpaSpec` for v2 and beside it for v1. */
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

/** What an autoscaler of v2 looks at. */
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

/** What a container gets. Memory with a unit, as `500Mi`; processors as a decimal count, as `0.125`. */
export interface Resources {
  readonly memoryMin?: Numeric | null | undefined;
  readonly memoryMax?: Numeric | null | undefined;
  readonly cpuMin?: Numeric | null | undefined;
  readonly cpuMax?: Numeric | null | undefined;
  readonly [member: string]: unknown;
}

/** On which nodes the pods of a GIS service may run (section 2.5). */
export interface PodPlacementPolicy {
  readonly nodeAffinity?: NodeAffinity | null | undefined;
  readonly tolerations?: readonly Toleration[] | null | undefined;
  readonly [member: string]: unknown;
}

/** The nodes that pods are drawn to. */
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

/** What the labels of a node have to be. */
export interface MatchExpression {
  readonly key: string;
  /** One of `affinityOperators`. */
  readonly operator: string;
  readonly values?: readonly string[] | null | undefined;
  readonly [member: string]: unknown;
}

/** A taint of nodes that pods put up with. */
export interface Toleration {
  /** One of `taintEffects`; absent or empty: all of them. */
  readonly effect?: string | null | undefined;
  readonly key?: string | null | undefined;
  /** One of `tolerationOperators`. */
  readonly operator?: string | null | undefined;
  readonly value?: string | null | undefined;
  readonly [member: string]: unknown;
}

/** The placement policy of a template, from either of the places where it can be, with its path. */
export function placementOf(
  template: PropertyTemplate,
): { readonly path: string; readonly policy: PodPlacementPolicy } | undefined {
  const { podPlacementPolicy, spec } = template;
  if (podPlacementPolicy) return { path: 'podPlacementPolicy', policy: podPlacementPolicy };
  if (spec.podPlacementPolicy) return { path: 'spec.podPlacementPolicy', policy: spec.podPlacementPolicy };
  return undefined;
}
