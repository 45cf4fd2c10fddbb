import type { PropertyTemplate } from '../properties/template.ts';
import type { TemplateFinding } from './finding.ts';

/** Context of a rule. */
export interface TemplateRuleContext {
  readonly template: PropertyTemplate;
  /** The template at the deployment, if known. */
  readonly original: PropertyTemplate | undefined;
  /** The version of the deployment, such as `11.2`, if known. */
  readonly version: string | undefined;
  readonly report: (finding: TemplateFinding) => void;
}

/** Reports one kind of problem with a template. */
export type TemplateRule = (context: TemplateRuleContext) => void;
