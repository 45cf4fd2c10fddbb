import * as v from 'valibot';
import {
  type DescribedPattern,
  describePattern,
  explainPoorResult,
  type FoundDifferences,
  type FoundPatterns,
  findDifferences,
  findPatterns,
  type Investigation,
  investigate as investigateLogs,
  type Overview,
  overview as overviewOf,
  type PoorResult,
  queryParts,
  type ServiceReport,
  serviceReport,
} from '../../analysis/index.ts';
import { exportedOnly } from '../../case/index.ts';
import { type Coverage, readCoverageOf } from '../../export/index.ts';
import type { Field, Schema } from '../../language/index.ts';
import { disMaxFilter, matchAllFilter } from '../../language/index.ts';
import { requestedOf } from './counts.ts';
import { casesWith, logsOf } from './opened.ts';
import type { AnswerOperation } from './operation.ts';
import { PageRefusal } from './refusal.ts';
import { filterOf, interval, selection, withinInterval } from './selection.ts';

const nothing = v.object({});

/** Fields of a deployment, as a schema is made of them. */
export interface QueryFields {
  readonly fields: readonly Field[];
  /** Names of those that a clause without a field searches. */
  readonly defaults: readonly string[];
}

/** Names of the cases of the page, and an overview. */
export interface About {
  readonly names: readonly string[];
  readonly paths: readonly string[];
  /** What the sources lack, such as a shard of a cluster. */
  readonly remarks: readonly string[];
  /** Options of a command line that read the sources alike. */
  readonly readingOptions: readonly string[];
  /** Folder of the rules, if they are not those of Logquarry. */
  readonly rulesPath?: string;
  readonly overview: Overview;
  /** Fields of the query bar, if they are not the documented ones. */
  readonly queryFields?: QueryFields;
}

/** The contents of the cases at a glance. */
export const about: AnswerOperation<typeof nothing, About> = {
  parameters: nothing,
  async answer(_, context) {
    const { opened, schema, rulesPath } = context;
    const { names, paths, remarks = [], readingOptions = [] } = opened;
    const requested = await requestedOf(opened);
    return {
      ...{ names, paths, remarks, readingOptions },
      ...(rulesPath !== undefined && { rulesPath }),
      overview: await overviewOf(logsOf(context), { requested, buckets: 60, values: 10 }),
      ...(schema && { queryFields: queryFieldsOf(schema) }),
    };
  },
};

function queryFieldsOf({ fields, defaults }: Schema): QueryFields {
  return { fields: [...fields.values()], defaults: defaults.map(({ name }) => name) };
}

/** The intervals that the exports of each case requested, with their states. */
export const coverage: AnswerOperation<typeof nothing, readonly (readonly Coverage[])[]> = {
  parameters: nothing,
  answer: (_, { opened }) => Promise.all(opened.logs.map(readCoverageOf)),
};

/** When and in which way the logs of an interval changed; a query is the symptom, as for the command. */
export const investigate: AnswerOperation<typeof selection, Investigation> = {
  parameters: selection,
  async answer(selected, context) {
    const { opened, signal } = context;
    const { query } = selected;
    const meant = query.trim() === '' ? undefined : await filterOf({ query, now: selected.now }, opened);
    const filter = withinInterval(matchAllFilter, selected);
    return investigateLogs(await casesWith(filter, context), {
      filter,
      ...(meant && { symptom: { query: `(${query})`, filter: meant } }),
      requested: await requestedOf(opened),
      exportedOnly: await exportedOnly(opened.logs),
      signal,
    });
  },
};

/** Requests, their times and errors by service. */
export const services: AnswerOperation<typeof selection, ServiceReport> = {
  parameters: selection,
  async answer(selected, context) {
    const { opened, signal } = context;
    const filter = await filterOf(selected, opened);
    return serviceReport(await casesWith(filter, context), { filter, slowest: 20, signal });
  },
};

/** Clauses of a query and what the cases have instead; empty for a query that selects all. */
export const poorResult: AnswerOperation<typeof selection, PoorResult> = {
  parameters: selection,
  answer: ({ query }, context) =>
    explainPoorResult(logsOf(context), queryParts(query), { signal: context.signal }),
};

/** Most patterns that are shown. */
const mostPatterns = 500;

/** The patterns of the messages of a selection, the most frequent first. */
export const patterns: AnswerOperation<typeof selection, FoundPatterns & { readonly others: number }> = {
  parameters: selection,
  async answer(selected, context) {
    const { opened, signal } = context;
    const filter = await filterOf(selected, opened);
    const found = await findPatterns(await casesWith(filter, context), { filter, intervals: 40, signal });
    const shown = found.patterns.slice(0, mostPatterns);
    return { ...found, patterns: shown, others: found.patterns.length - shown.length };
  },
};

const patternParameters = v.object({
  ...selection.entries,
  id: v.pipe(v.string(), v.regex(/^[0-9a-f]{10}$/)),
});

/** Most values of each variable place that are shown. */
const mostValues = 20;

/** One pattern with the values at its variable places. */
export const pattern: AnswerOperation<typeof patternParameters, DescribedPattern> = {
  parameters: patternParameters,
  async answer({ id, ...selected }, context) {
    const { opened, signal } = context;
    const filter = await filterOf(selected, opened);
    const found = await describePattern(await casesWith(filter, context), { filter, id, signal });
    if (!found) throw new PageRefusal(`No pattern of these logs has the id ${id}`, 404);
    const places = found.places.map((each) => ({ ...each, values: each.values.slice(0, mostValues) }));
    return { ...found, places };
  },
};

const ends = v.required(interval);
const changesParameters = v.object({ ...selection.entries, before: ends, after: ends });

/** The differences between two intervals of a selection. */
export const changes: AnswerOperation<typeof changesParameters, FoundDifferences> = {
  parameters: changesParameters,
  async answer({ before, after, ...selected }, context) {
    const { opened, signal } = context;
    const filter = await filterOf({ query: selected.query, now: selected.now }, opened);
    const cases = await casesWith(
      disMaxFilter([before, after].map((side) => withinInterval(filter, side))),
      context,
    );
    const sideOf = (side: v.InferOutput<typeof ends>) => ({
      cases,
      filter: withinInterval(filter, side),
    });
    const length = ({ from, to }: v.InferOutput<typeof ends>) => Math.max(1, to - from + 1);
    const exposure = { before: length(before), after: length(after) };
    return findDifferences({ before: sideOf(before), after: sideOf(after), exposure, signal });
  },
};
