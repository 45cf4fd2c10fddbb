import type { MessageFinding } from '../finding.ts';
import { toUpdateId, updateIdOf } from './update.ts';

/** Parameters of a rollback (the vendor's public documentation). */
export interface RollbackRequest {
  /** The identifier of the release or patch to roll back to, from `checkRollback`. */
  readonly id: string;
  /** An object; no member of it is documented. */
  readonly settings?: Readonly<Record<string, unknown>>;
}

/** Writes the form of a rollback, without the token. */
export function toRollbackForm({ id, settings = {} }: RollbackRequest): URLSearchParams {
  return new URLSearchParams({
    versionManifest: toUpdateId(id),
    rollbackSettings: JSON.stringify(settings),
    f: 'json',
  });
}

/** Reads the form of a rollback. */
export function fromRollbackForm(form: URLSearchParams): {
  readonly request: RollbackRequest;
  readonly findings: readonly MessageFinding[];
} {
  const findings: MessageFinding[] = [];
  const refuse = (parameter: string, rule: string) =>
    findings.push({ parameter, message: `"${parameter}" requires ${rule}` });
  const id = updateIdOf(form.get('versionManifest') ?? '');
  if (id === undefined) refuse('versionManifest', 'JSON with the member "id"');
  const settings = objectOf(form.get('rollbackSettings')?.trim() || '{}');
  if (!settings) refuse('rollbackSettings', 'a JSON object');
  return { request: { id: id ?? '', ...(settings && { settings }) }, findings };
}

function objectOf(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
    return isObject ? Object.fromEntries(Object.entries(value)) : undefined;
  } catch {
    return undefined;
  }
}
