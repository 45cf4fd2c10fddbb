import type { PropertyTemplate } from '../../protocol/index.ts';
import type { TemplateFinding } from './finding.ts';

/** What a rule looks at. */
export interface RuleContext {
  readonly template: PropertyTemplate;
  /** The template as the deployment has it, where that is known. */
  readonly original: PropertyTemplate | undefined;
  /** The version of the deployment, such as `11.2`, where that is known. */
  readonly version: string | undefined;
  readonly report: (finding: TemplateFinding) => void;
}

/** Reports what is wrong with a template in one respect. */
export type Rule = (context: RuleContext) => void;
