import type { Rule } from '../rule.ts';
import { autoscaling } from './autoscaling.ts';
import { fixedMember } from './fixed-member.ts';
import { manualRange } from './manual-range.ts';
import { needsVersion } from './needs-version.ts';
import { nodeAffinity } from './node-affinity.ts';
import { placementTarget } from './placement-target.ts';
import { quantity } from './quantity.ts';
import { quantityRange } from './quantity-range.ts';
import { removedMember } from './removed-member.ts';
import { replicaCount } from './replica-count.ts';
import { scalingMode } from './scaling-mode.ts';
import { toleration } from './toleration.ts';
import { undescribedMember } from './undescribed-member.ts';
import { unknownValue } from './unknown-value.ts';

/** All rules of a template, in the order of their findings. */
export const templateRules: readonly Rule[] = [
  fixedMember,
  removedMember,
  undescribedMember,
  replicaCount,
  manualRange,
  scalingMode,
  autoscaling,
  quantity,
  quantityRange,
  nodeAffinity,
  toleration,
  placementTarget,
  needsVersion,
  unknownValue,
];
