import { readExactJson, writeExactJson } from '../../records/index.ts';
import type { MessageFinding } from '../finding.ts';
import { readTemplate } from './read-template.ts';
import type { PropertyTemplate } from './template.ts';

/**
 * Writes the form of an edit of a template (section 4.2.2 of the interface document), without the token.
 * Numbers keep their spelling.
 */
export function toEditForm(template: object): URLSearchParams {
  return new URLSearchParams({ propertyJson: writeExactJson(template), f: 'json' });
}

/** Reads the template in the form of an edit, or returns the problems with it. */
export function fromEditForm(
  form: URLSearchParams,
): { readonly template: PropertyTemplate } | { readonly findings: readonly MessageFinding[] } {
  const parameter = 'propertyJson';
  const text = form.get(parameter) ?? '';
  if (text.trim() === '') return { findings: [{ parameter, message: `"${parameter}" requires a value` }] };
  try {
    return readTemplate(readExactJson(text));
  } catch {
    return { findings: [{ parameter, message: `"${parameter}" requires JSON` }] };
  }
}
