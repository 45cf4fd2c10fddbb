import { expect, test } from 'vitest';
import { rankRequests } from '../../../src/analysis/requests.ts';
import { serviceReport } from '../../../src/analysis/service-report.ts';
import { incidentLogs } from '../../../src/emulator/incident/incident-logs.ts';
import { matchAllFilter } from '../../../src/language/meaning/filter.ts';
import { withCases } from '../with-cases.ts';

const filter = matchAllFilter;
const hourOf = (time: string) => Date.parse(`2025-03-${time}:00:00Z`);

/*
 * The story: the pool of connections empties from 07:30 on the second day, is dry from 08:24 to the restart at
 * 10:04, and requests that need it wait up to 30 s in vain. Services without the pool are not hit.
 */
test('the report of the incident shows when requests waited, where, and which errors came of it', async () => {
  const logs = [...incidentLogs({ count: 4000, seed: 11 })];
  await withCases([logs], async (cases) => {
    const { groups } = await serviceReport(cases, { filter, by: ['hour'] });
    const at = (time: string) => groups.find(({ key }) => key.hour === hourOf(time));
    for (const hour of ['12T08', '12T09']) {
      expect(at(hour)?.wait?.max).toBeGreaterThan(25);
      expect(at(hour)?.errors).toBeGreaterThan(10);
      expect(at(hour)?.wait?.p95).toBeGreaterThan(10 * (at(hour.replace('12', '11'))?.wait?.p95 ?? Infinity));
    }
    expect(at('11T09')?.errors).toBe(0);
    expect(at('12T11')?.wait?.max).toBeLessThan(5);

    const report = await serviceReport(cases, { filter });
    const isPooled = (service: unknown) => /Water|Roadworks|Parcels|Zoning|Sewer/.test(String(service));
    const waiting = report.groups.filter(({ wait }) => 5 < (wait?.max ?? 0)).map(({ key }) => key.service);
    expect(waiting.length).toBeGreaterThan(2);
    expect(waiting.filter((service) => !isPooled(service))).toEqual([]);
    const dry = report.errors.find(({ code }) => code === 110035);
    expect(dry).toMatchObject({
      level: 'SEVERE',
      count: 4,
      source: 'Utilities/Water.FeatureServer',
      first: Date.parse('2025-03-12T08:24:10Z'),
      last: Date.parse('2025-03-12T10:00:00Z'),
    });
    // In vain: 30 s of waiting, and a moment; jobs fail for other reasons.
    const failed = (await rankRequests(cases, { filter, limit: 500 })).filter(
      ({ errors, method }) => 0 < errors && method !== 'run',
    );
    expect(failed.length).toBeGreaterThan(10);
    for (const { took } of failed) expect(Math.abs(took - 30)).toBeLessThan(0.2);
  });
});
