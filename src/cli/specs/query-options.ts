import { timeUnits } from '../../records/zone.ts';
import { choiceOption, textOption } from '../command-line/option.ts';

/** Option with the engine that runs a query. */
export const engineOption = choiceOption(
  'NAME',
  'The engine that runs the query, where it is not that of the deployment (default)',
  ['deployment', 'elasticsearch', 'lucene'],
);

/** Option with the fields of a deployment. */
export const fieldsOption = textOption(
  'FILE',
  'JSON file with the fields of the deployment where they differ from the documented ones',
);

/** Option with the unit of numeric times. */
export const timeUnitOption = choiceOption(
  'UNIT',
  'The unit of times in log files that are numbers (default: ms, and s where they cannot be ms)',
  timeUnits,
);
