import * as v from 'valibot';
import type { MessageFinding } from '../finding.ts';
import { lenientText } from '../lenient.ts';
import { readTemplate } from './read-template.ts';
import type { PropertyTemplate } from './template.ts';

/** An unreadable item in a list of templates. */
export interface UnreadableTemplate {
  /** Its identifier, if any. */
  readonly id?: string;
  /** Its index in the list, from 0 on. */
  readonly at: number;
  /** The problems with it. */
  readonly findings: readonly MessageFinding[];
}

/** The readable and the unreadable templates of a list. */
export interface TemplateList {
  readonly templates: readonly PropertyTemplate[];
  readonly unreadable: readonly UnreadableTemplate[];
}

/**
 * Reads the templates in a body: a list, an object with a list in one of its members, or one template. The
 * interface document does not name the list. Undefined if the body holds nothing like a template.
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
  const id = withId.success ? lenientText(withId.output.id) : undefined;
  return { ...(id !== undefined && { id }), at, findings };
}

/** True if every item has an identifier, as a template has. */
function isLikely({ unreadable }: TemplateList): boolean {
  return unreadable.length > 0 && unreadable.every(({ id }) => id !== undefined);
}
