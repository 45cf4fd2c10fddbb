import { isObject, readExactJson } from '../../records/index.ts';
import { type ChangedTemplate, type LocatedMember, locateMember, valueAt } from './locate-member.ts';
import { memberAt } from './members.ts';
import { type MemberStep, memberPath, readMemberPath } from './path.ts';

/**
 * Sets one member of a template by an assignment such as `spec.replicas.max=4` or
 * `spec.containers.main-container.resources.cpuMax=4`. An item of a list can be named by index or by name. The
 * value is JSON, whose numbers keep their spelling; a text needs no quotes. Refuses a member that is neither
 * present nor described in the interface document, because it is likely a slip.
 *
 * ```ts
 * const assigned = setMember(await readPropertyTemplate(client, 'a'), 'replicas.min=2');
 * ```
 */
export function setMember(template: unknown, assignment: string): ChangedTemplate {
  const [, path = '', text] = /^([^=]*)=(.*)$/s.exec(assignment) ?? [];
  const steps = readMemberPath(path.trim());
  if (!steps || text === undefined) {
    return { problem: `"${assignment}" requires the form PATH=VALUE, as in spec.replicas.max=4` };
  }
  const found = locateMember(template, steps);
  if ('problem' in found) return found;
  return { template: withValue(template, found.steps, toValue(text, found)) };
}

/** Reads a value: a text if the member is one, else JSON, else the text itself. */
function toValue(text: string, { steps, value }: LocatedMember): unknown {
  const parsed = jsonOf(text);
  const type = memberAt(memberPath(steps))?.type;
  const isText = type === undefined ? typeof value === 'string' : type === 'text';
  if (isText) return typeof parsed === 'string' || parsed === null ? parsed : text;
  return parsed === undefined ? text : parsed;
}

function jsonOf(text: string): unknown {
  try {
    return readExactJson(text);
  } catch {
    return undefined;
  }
}

function withValue(at: unknown, [step, ...rest]: readonly MemberStep[], value: unknown): unknown {
  if (step === undefined) return value;
  const changed = withValue(valueAt(at, step), rest, value);
  if (Array.isArray(at)) return at.map((item, place) => (place === step ? changed : item));
  return { ...(isObject(at) ? at : {}), [step]: changed };
}
