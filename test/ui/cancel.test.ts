import { expect, test } from 'vitest';
import { explainPoorResult } from '../../src/analysis/explain-poor-result.ts';
import { serviceReport } from '../../src/analysis/service-report.ts';
import { openCase } from '../../src/case/file/case.ts';
import { countByTime, timeSpan } from '../../src/case/searching/count-logs.ts';
import { countBy, countLogs, logCursors } from '../../src/case/searching/find-logs.ts';
import { matchAllFilter } from '../../src/language/meaning/filter.ts';

test.each([
  ['countLogs', (from, signal) => countLogs(from, matchAllFilter, { signal })],
  ['countBy', (from, signal) => countBy(from, 'source', matchAllFilter, { signal })],
  ['countByTime', (from, signal) => countByTime(from, matchAllFilter, { every: 1000, signal })],
  ['timeSpan', (from, signal) => timeSpan(from, matchAllFilter, { signal })],
  ['logCursors', (from, signal) => logCursors(from, matchAllFilter, { order: 'newest', every: 100, signal })],
  ['serviceReport', (from, signal) => serviceReport([from], { filter: matchAllFilter, signal })],
  [
    'explainPoorResult',
    (from, signal) => explainPoorResult([from], [{ text: 'a', filter: matchAllFilter }], { signal }),
  ],
] satisfies [
  string,
  (from: Awaited<ReturnType<typeof openCase>>, signal: AbortSignal) => Promise<unknown>,
][])('%s rejects with the reason of its signal', async (_, work) => {
  await using from = await openCase(':memory:', { access: 'write' });
  const controller = new AbortController();
  controller.abort(new Error('gone'));
  await expect(work(from, controller.signal)).rejects.toThrow('gone');
  await expect(work(from, new AbortController().signal)).resolves.toBeDefined();
});
