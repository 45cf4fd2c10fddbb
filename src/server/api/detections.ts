import type { UnsupportedRule } from '../../analysis/index.ts';
import {
  compareDetections,
  type DetectedLog,
  type Detection,
  detect,
  isHit,
  type Occurrence,
} from '../../analysis/index.ts';
import { requestedOf } from './counts.ts';
import { casesWith } from './opened.ts';
import type { AnswerOperation } from './operation.ts';
import { filterOf, selection } from './selection.ts';

/** A rule that found something. */
export interface PageDetection {
  readonly title: string;
  readonly file: string;
  readonly level?: string;
  readonly description?: string;
  /** Selects exactly the logs of the rule, if the language can. */
  readonly query?: string;
  readonly sql?: string;
  readonly count: number;
  readonly first?: DetectedLog;
  readonly last?: DetectedLog;
  /** The first occurrences of a correlation, and the number of the others. */
  readonly occurrences?: readonly Occurrence[];
  readonly otherOccurrences: number;
}

/** Results of the rules of the page. */
export interface PageDetections {
  /** Number of rules that were evaluated. */
  readonly rules: number;
  readonly detections: readonly PageDetection[];
  readonly unsupported: readonly UnsupportedRule[];
}

/** Most occurrences of a correlation that are shown. */
const mostOccurrences = 100;

/** The findings of the rules in a selection, the most critical first, and the rules that could not be evaluated. */
export const detections: AnswerOperation<typeof selection, PageDetections> = {
  parameters: selection,
  async answer(selected, context) {
    const { opened, rules } = context;
    const filter = await filterOf(selected, opened);
    const requested = await requestedOf(opened);
    const found = await detect(await casesWith(filter, context), rules.rules, {
      filter,
      ...(0 < requested.length && { requested }),
    });
    return {
      rules: found.detections.length,
      detections: found.detections.filter(isHit).toSorted(compareDetections).map(toPageDetection),
      unsupported: [...rules.unsupported, ...found.unsupported],
    };
  },
};

function toPageDetection({ rule, count, first, last, occurrences }: Detection): PageDetection {
  const { title, file, level, description } = rule;
  return {
    ...{ title, file, count },
    ...(level !== undefined && { level }),
    ...(description !== undefined && { description }),
    ...(rule.kind === 'detection' && rule.query !== undefined && { query: rule.query }),
    ...(rule.kind === 'detection' && rule.sql !== undefined && { sql: rule.sql }),
    ...(first && { first }),
    ...(last && { last }),
    ...(occurrences && { occurrences: occurrences.slice(0, mostOccurrences) }),
    otherOccurrences: Math.max(0, (occurrences?.length ?? 0) - mostOccurrences),
  };
}
