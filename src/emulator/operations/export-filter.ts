import type { Field } from '../../language/index.ts';
import { boolFilter, type Filter, matchNoneFilter } from '../../language/index.ts';
import type { ExportRequest } from '../../protocol/index.ts';
import { levelsFrom } from '../logs/severity.ts';
import type { ExportRules } from '../site/site.ts';

/** Values that the deployment adds to a request. */
export interface ExportDefaults {
  /** The organisation's current log level. */
  readonly logLevel: string;
  /** Milliseconds since the epoch. */
  readonly now: number;
  readonly bounds: ExportRules['bounds'];
  readonly windowWithSearch: boolean;
}

/**
 * Builds the filter of an export (section 4.2.1 of the interface document). A log must match both the query
 * form and the search form. `startTime` is the newest and `endTime` the oldest time, both included unless the
 * rules exclude them. A level includes all more severe ones. Without a level, the query form uses the current
 * level, and the search form any level.
 */
export function toExportFilter(
  request: ExportRequest,
  search: Filter | undefined,
  defaults: ExportDefaults,
): Filter {
  const level = request.logLevel ?? (search ? undefined : defaults.logLevel);
  return boolFilter({
    must: [
      ...(search ? [search] : []),
      ...(level ? [oneOf(levelField, levelsFrom(level))] : []),
      ...(search && !defaults.windowWithSearch ? [] : timeFilters(request, defaults)),
      ...(0 < request.logCodes.length ? [codeFilter(request.logCodes)] : []),
      // These are single values, commas included; only codes and identifiers of requests are lists.
      ...valueFilter('username', request.users),
      ...valueFilter('serviceTypes', request.serviceTypes),
      ...valueFilter('source', request.source),
      ...(0 < request.requestIDs.length ? [oneOf(keyword('requestID'), request.requestIDs)] : []),
    ],
  });
}

// The query form compares whole values, unlike the search language, which looks for words.
const keyword = (name: string): Field => ({ name, type: 'keyword', about: 'the whole value' });
const levelField = keyword('logLevel');

function valueFilter(name: string, value: string | undefined): readonly Filter[] {
  return value === undefined ? [] : [oneOf(keyword(name), [value])];
}

function oneOf(field: Field, values: readonly string[]): Filter {
  if (values.length === 0) return matchNoneFilter;
  return boolFilter({ should: values.map((term) => ({ kind: 'term', field, term })) });
}

const timeField: Field = { name: 'time', type: 'date', about: 'when it was logged' };
const codeField: Field = { name: 'logCode', type: 'integer', about: 'the code of the message' };

function timeFilters({ newest, oldest }: ExportRequest, { now, bounds }: ExportDefaults): readonly Filter[] {
  const inclusive = bounds === 'included';
  const upper = { value: newest ?? now, inclusive: inclusive || newest === undefined };
  const lower = oldest === undefined ? {} : { lower: { value: oldest, inclusive } };
  return [{ kind: 'range', field: timeField, upper, ...lower }];
}

function codeFilter(codes: readonly number[]): Filter {
  const exactly = (value: number): Filter => {
    const bound = { value, inclusive: true };
    return { kind: 'range', field: codeField, lower: bound, upper: bound };
  };
  return boolFilter({ should: codes.map(exactly) });
}
