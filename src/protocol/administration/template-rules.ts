import { autoscalingRule } from './autoscaling.ts';
import { fixedMemberRule } from './fixed-member.ts';
import { manualRangeRule } from './manual-range.ts';
import { needsVersionRule } from './needs-version.ts';
import { nodeAffinityRule } from './node-affinity.ts';
import { placementTargetRule } from './placement-target.ts';
import { quantityRangeRule } from './quantity-range.ts';
import { removedMemberRule } from './removed-member.ts';
import { replicaCountRule } from './replica-count.ts';
import type { TemplateRule } from './rule.ts';
import { quantityRule } from './rules-quantity.ts';
import { scalingModeRule } from './scaling-mode.ts';
import { tolerationRule } from './toleration.ts';
import { undescribedMemberRule } from './undescribed-member.ts';
import { unknownValueRule } from './unknown-value.ts';

/** All rules of a template, in the order of their findings. */
export const templateRules: readonly TemplateRule[] = [
  fixedMemberRule,
  removedMemberRule,
  undescribedMemberRule,
  replicaCountRule,
  manualRangeRule,
  scalingModeRule,
  autoscalingRule,
  quantityRule,
  quantityRangeRule,
  nodeAffinityRule,
  tolerationRule,
  placementTargetRule,
  needsVersionRule,
  unknownValueRule,
];
