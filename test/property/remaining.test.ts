import { expect, test } from 'vitest';
import { estimateRemaining } from '../../src/export/decide/progress.ts';
import { rounds } from '../effort.ts';
import { burstyLogs, generator } from '../export/exporting-windows.ts';
import { simulateExport } from '../export/simulated-export.ts';

test('an estimate that is shown is right within a factor of two, from half of the way on within ten percent', () => {
  let [shown, wrong, late, lateWrong] = [0, 0, 0, 0];
  for (let seed = 1; seed <= rounds(60, 12); seed += 1) {
    const spread = [0, 0.3, 0.6, 1.2][seed % 4] ?? 0;
    const times = Float64Array.from(burstyLogs(20_000, { seed, spread }).map(({ time = 0 }) => time));
    simulateExport(times, {
      cap: 200,
      jobs: 2,
      margin: 0,
      random: generator(seed),
      onStep: (windows) => {
        const remaining = estimateRemaining(windows);
        if (remaining === undefined) return;
        const logs = windows.reduce((sum, each) => sum + (each.state === 'loaded' ? (each.logs ?? 0) : 0), 0);
        const share = (logs + remaining) / times.length;
        shown += 1;
        if (share < 0.5 || 2 < share) wrong += 1;
        if (logs < times.length / 2) return;
        late += 1;
        if (share < 0.9 || 1.1 < share) lateWrong += 1;
      },
    });
  }
  // Statistics can err: a burst may lie where nothing was seen yet.
  expect(shown).toBeGreaterThan(100);
  expect(wrong / shown).toBeLessThan(0.02);
  expect(lateWrong / late).toBeLessThan(0.02);
});
