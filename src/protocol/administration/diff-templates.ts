import { isObject } from '../../records/index.ts';
import type { PropertyTemplate } from '../properties/template.ts';
import { isSameJson } from './json.ts';
import { memberAt } from './members.ts';
import { type MemberStep, memberPath } from './path.ts';

/** One difference between two templates. */
export interface TemplateChange {
  readonly path: string;
  readonly kind: 'added' | 'removed' | 'changed';
  /** Absent for an added member. */
  readonly before?: unknown;
  /** Absent for a removed member. */
  readonly after?: unknown;
  /** True if an edit may make this change; undefined if the interface document does not describe the member. */
  readonly editable: boolean | undefined;
}

/**
 * Lists the differences between two templates, by member and in their order. The second may have members of
 * wrong types. Containers are compared by name, other lists by index.
 *
 * ```ts
 * const template = await readPropertyTemplate(client, 'a');
 * diffTemplates(template, { ...template, mode: 'auto' });
 * ```
 */
export function diffTemplates(before: PropertyTemplate, after: unknown): readonly TemplateChange[] {
  return changesAt([], before, after);
}

function changesAt(at: readonly MemberStep[], before: unknown, after: unknown): TemplateChange[] {
  if (isSameJson(before, after)) return [];
  if (isObject(before) && isObject(after)) {
    return keysOf(before, after).flatMap((key) => changesAt([...at, key], before[key], after[key]));
  }
  if (Array.isArray(before) && Array.isArray(after)) {
    return pairsOf(before, after).flatMap(([place, old, now]) => changesAt([...at, place], old, now));
  }
  return [toChange(at, before, after)];
}

function toChange(at: readonly MemberStep[], before: unknown, after: unknown): TemplateChange {
  const path = memberPath(at);
  const editable = memberAt(path)?.editable;
  if (before === undefined) return { path, kind: 'added', after, editable };
  if (after === undefined) return { path, kind: 'removed', before, editable };
  return { path, kind: 'changed', before, after, editable };
}

function keysOf(before: object, after: object): string[] {
  return [...new Set([...Object.keys(before), ...Object.keys(after)])];
}

type Pair = readonly [place: number, before: unknown, after: unknown];

function pairsOf(before: readonly unknown[], after: readonly unknown[]): readonly Pair[] {
  const named = [...before, ...after].every((item) => nameOf(item) !== undefined);
  if (!named) {
    const length = Math.max(before.length, after.length);
    return Array.from({ length }, (_, place) => [place, before[place], after[place]]);
  }
  const names = [...new Set([...before, ...after].map(nameOf))];
  return names.map((name) => {
    const isIt = (item: unknown) => nameOf(item) === name;
    const place = before.some(isIt) ? before.findIndex(isIt) : after.findIndex(isIt);
    return [place, before.find(isIt), after.find(isIt)];
  });
}

function nameOf(item: unknown): unknown {
  return isObject(item) ? item.name : undefined;
}

/**
 * Describes the effect of an edit of a template (rules 1 and 2 of section 4.2.2 of the interface document).
 *
 * ```ts
 * affectedBy(await readPropertyTemplate(client, 'a'));
 * ```
 */
export function affectedBy({ type, provider, mode }: PropertyTemplate): string {
  return `New microservices of type ${type}, provider ${provider} and mode ${mode} get these properties; those that exist keep theirs`;
}
