import { logLevels } from '../../language/index.ts';
import {
  filterTextsOption,
  integerListOption,
  upperCaseChoicesOption,
} from '../command-line/filter-option.ts';
import { durationOption, timeOption } from '../command-line/option.ts';

/** Options that select logs beside a query; repeated values are alternatives. */
export const logFilterOptions = {
  from: timeOption('TIME', 'Oldest time, such as 2025-03-12, "2025-03-12 08:00", yesterday or now-2h'),
  to: timeOption('TIME', 'Newest time; a day is included as a whole', { missing: 'end' }),
  last: durationOption('TIME', 'Only this long before now, such as 30m, 2h or 7d'),
  level: upperCaseChoicesOption('LEVEL', 'Only these levels', logLevels),
  user: filterTextsOption('NAME', 'Only logs of this user, compared exactly'),
  code: integerListOption('CODES', 'Only these codes, separated by commas'),
  source: filterTextsOption('SOURCE', 'Only logs of this source, compared exactly, for instance Sharing'),
} as const;

/** A duration before now is a time range of its own. */
export const logFilterExclusions = { last: ['from', 'to'] } as const;

/** One sentence for the help of commands with these options. */
export const logFilterDetails =
  '--from, --to, --last, --level, --user, --code and --source select logs beside the query. Each of them must match; values of a repeated option are alternatives.';
