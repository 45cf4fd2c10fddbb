import type { Severity } from '../../language/finding.ts';
import { ruleHeadings } from '../../lint/validate.ts';
import { UsageError } from '../command-line/usage-error.ts';

const levels: readonly (Severity | 'off')[] = ['error', 'warning', 'hint', 'off'];

/** The severities that were given as `code=level`. A code or level that does not exist is a `UsageError`. */
export function severitiesFrom(written: readonly string[]): ReadonlyMap<string, Severity | 'off'> {
  return new Map(
    written.map((each) => {
      const [code = '', name] = each.split('=');
      const level = levels.find((known) => known === name);
      if (!ruleHeadings.has(code)) {
        throw new UsageError(`"--severity" requires the code of a finding that can be set, unlike "${code}"`);
      }
      if (!level) throw new UsageError(`"--severity" requires ${levels.join(', ')} after "${code}="`);
      return [code, level];
    }),
  );
}
