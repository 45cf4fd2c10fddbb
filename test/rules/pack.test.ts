import { describe, expect, test } from 'vitest';
import { detect } from '../../src/analysis/detect.ts';
import { openCase } from '../../src/case/file/case.ts';
import { addLogs } from '../../src/case/loading/add-logs.ts';
import { readRules } from '../../src/cli/input/read-rules.ts';
import { matchAllFilter } from '../../src/language/meaning/filter.ts';
import type { Log } from '../../src/records/log.ts';
import { packLogs } from './pack-logs.ts';

const { rules, unsupported } = await readRules();

describe('the rules of the package', () => {
  test('can all be evaluated, and each has an example', () => {
    expect(unsupported).toEqual([]);
    expect(rules.map(({ name }) => name).sort()).toEqual(Object.keys(packLogs).sort());
  });

  test('have an id of their own, a level and a description', () => {
    expect(new Set(rules.map(({ id }) => id)).size).toBe(rules.length);
    for (const rule of rules)
      expect(rule).toMatchObject({ level: expect.anything(), description: expect.anything() });
  });

  /** The name of the rule if it finds something in some logs. */
  async function findings(name: string, logs: readonly Log[]): Promise<ReadonlySet<string | undefined>> {
    await using into = await openCase(':memory:', { access: 'write' });
    await addLogs(into, logs, { part: 'test' });
    const { detections, unsupported: failed } = await detect(
      [into],
      rules.filter((rule) => rule.name === name),
      { filter: matchAllFilter },
    );
    expect(failed).toEqual([]);
    const hits = detections.filter(({ count, occurrences = [] }) => 0 < count + occurrences.length);
    return new Set(hits.map(({ rule }) => rule.name));
  }

  test.each(Object.entries(packLogs))(
    '%s finds what it is for, and spares the rest',
    async (name, { fires, spares }) => {
      expect(await findings(name, fires)).toContain(name);
      expect(await findings(name, spares)).not.toContain(name);
    },
  );
});
