import { isSameJson } from './json.ts';
import type { TemplateRule } from './rule.ts';

const described = ['id', 'mode', 'provider', 'type', 'revision', 'spec', 'podPlacementPolicy'];
const describedInSpec = ['replicas', 'containers', 'podPlacementPolicy'];

/**
 * Undescribed member
 *
 * A deployment of a later version may have members that the interface document does not describe. Their
 * editability is unknown.
 */
export const undescribedMemberRule: TemplateRule = ({ template, original, report }) => {
  if (!original) return;
  compare('', template, original, described);
  compare('spec.', template.spec, original.spec, describedInSpec);

  function compare(at: string, now: Members, before: Members, known: readonly string[]): void {
    const members = new Set([...Object.keys(now), ...Object.keys(before)]);
    for (const member of members) {
      if (known.includes(member) || isSameJson(now[member], before[member])) continue;
      const path = at + member;
      const message = `"${path}" differs from the original, and whether it can be edited is not documented`;
      report({ code: 'undescribed-member', severity: 'warning', path, message });
    }
  }
};

type Members = Readonly<Record<string, unknown>>;
