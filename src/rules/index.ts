export { compileRules, type RuleFile } from './compile-rules.ts';
export {
  type ExtractedField,
  type MappedField,
  ownMapping,
  type RuleMapping,
  readMapping,
} from './mapping/mapping.ts';
export {
  type CorrelationRule,
  type CountLimits,
  type DetectionRule,
  type Rule,
  type RuleHead,
  type RuleLevel,
  type RuleSet,
  ruleLevels,
  type UnsupportedRule,
} from './model/rule.ts';
export { RuleRefusal } from './yaml/refusal.ts';
