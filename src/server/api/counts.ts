import * as v from 'valibot';
import {
  type Facets,
  facets as facetsOf,
  type Histogram,
  histogram as histogramOf,
  type RequestedInterval,
} from '../../analysis/index.ts';
import { readCoverageOf } from '../../export/index.ts';
import { logsOf, type OpenedCases } from './opened.ts';
import type { AnswerOperation, StreamOperation } from './operation.ts';
import { filterOf, logField, selection } from './selection.ts';

const histogramParameters = v.object({
  ...selection.entries,
  by: v.optional(logField),
  buckets: v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(500)),
});

/** The logs of a selection over time, with the completeness of each bucket where exports have one. */
export const histogram: AnswerOperation<typeof histogramParameters, Histogram> = {
  parameters: histogramParameters,
  async answer({ by, buckets, ...selected }, context) {
    const { opened, signal } = context;
    const filter = await filterOf(selected, opened);
    const requested = await requestedOf(opened);
    return histogramOf(logsOf(context), filter, {
      ...{ by, buckets, values: 8, signal },
      ...(0 < requested.length && { requested }),
    });
  },
};

/** Returns the intervals that the exports of sources requested; empty without an export. */
export async function requestedOf({
  logs,
}: Pick<OpenedCases, 'logs'>): Promise<readonly RequestedInterval[]> {
  const all = await Promise.all(logs.map(readCoverageOf));
  return all.flat().flatMap(({ covered }) => covered);
}

const facetsParameters = v.object({
  ...selection.entries,
  fields: v.pipe(v.array(logField), v.maxLength(20)),
  limit: v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(1000)),
});

/** Longest value of a facet, in UTF-16 units; longer ones are no names. */
const longestValue = 200;

/** The most frequent values of fields, one line for each field as it is counted. */
export const facets: StreamOperation<typeof facetsParameters, Facets> = {
  parameters: facetsParameters,
  async *stream({ fields, limit, ...selected }, context) {
    const { opened, signal } = context;
    const filter = await filterOf(selected, opened);
    for (const field of fields) {
      const { values, ...counted } = await facetsOf(logsOf(context), field, { filter, limit, signal });
      const short = values.filter(({ value }) => String(value ?? '').length <= longestValue);
      yield { ...counted, values: short };
    }
  },
};
