import * as v from 'valibot';
import type { MessageFinding } from '../finding.ts';
import { textOf } from '../lenient.ts';
import { readTemplate } from './read-template.ts';
import type { PropertyTemplate } from './template.ts';

/** An item of a list of templates that is no template which could be read. */
export interface UnreadableTemplate {
  /** Its identifier where it has one. */
  readonly id?: string;
  /** Its place in the list, from 0 on. */
  readonly at: number;
  /** Why it cannot be read. */
  readonly findings: readonly MessageFinding[];
}

/** The templates of a list, and those that cannot be read. */
export interface TemplateList {
  readonly templates: readonly PropertyTemplate[];
  readonly unreadable: readonly UnreadableTemplate[];
}

/**
 * The templates in a body: a list, an object with a list in one of its members,
 * or one template. The interface document does not name the list. Undefined
 * where the body holds nothing that looks like a template.
 */
export function templatesOf(body: unknown): TemplateList | undefined {
  const lists = Array.isArray(body) ? [body] : Object.values(v.is(v.looseObject({}), body) ? body : {});
  const found = [[body], ...lists].filter((each) => Array.isArray(each)).map(readAll);
  return found.find(({ templates }) => templates.length > 0) ?? found.find(isLikely);
}

function readAll(items: readonly unknown[]): TemplateList {
  const read = items.map((item, at) => ({ item, at, ...readTemplate(item) }));
  return {
    templates: read.flatMap((each) => ('template' in each ? [each.template] : [])),
    unreadable: read.flatMap((each) => ('findings' in each ? [toUnreadable(each)] : [])),
  };
}

function toUnreadable({
  item,
  at,
  findings,
}: UnreadableTemplate & { readonly item: unknown }): UnreadableTemplate {
  const withId = v.safeParse(v.object({ id: v.unknown() }), item);
  const id = withId.success ? textOf(withId.output.id) : undefined;
  return { ...(id !== undefined && { id }), at, findings };
}

/** Tells whether every item has an identifier, as a template has. */
function isLikely({ unreadable }: TemplateList): boolean {
  return unreadable.length > 0 && unreadable.every(({ id }) => id !== undefined);
}
