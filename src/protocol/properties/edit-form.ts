import type { MessageFinding } from '../finding.ts';
import { readTemplate } from './read-template.ts';
import type { PropertyTemplate } from './template.ts';

/** The form of an edit of a template (section 4.2.2 of the interface document), without the token. */
export function toEditForm(template: PropertyTemplate): URLSearchParams {
  return new URLSearchParams({ propertyJson: JSON.stringify(template), f: 'json' });
}

/** The template in the form of an edit, or what is wrong with it. */
export function fromEditForm(
  form: URLSearchParams,
): { readonly template: PropertyTemplate } | { readonly findings: readonly MessageFinding[] } {
  const parameter = 'propertyJson';
  const text = form.get(parameter) ?? '';
  if (text.trim() === '') return { findings: [{ parameter, message: `"${parameter}" requires a value` }] };
  try {
    return readTemplate(JSON.parse(text));
  } catch {
    return { findings: [{ parameter, message: `"${parameter}" requires JSON` }] };
  }
}
