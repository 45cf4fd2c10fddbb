import { engineNames } from '../../language/index.ts';
import { timeUnits } from '../../records/index.ts';
import {
  choiceOption,
  choiceOptionWithDefault,
  inGroup,
  switchOption,
  textOption,
} from '../command-line/option.ts';
import { logZoneOption, zoneOption } from '../command-line/zone-option.ts';
import { colourChoices } from '../terminal/terminal.ts';

/** Option with the engine that runs a query. */
export const engineOption = choiceOption(
  'NAME',
  'Engine that runs the query (default: deployment)',
  engineNames,
);

/** Option with the fields of a deployment. */
export const fieldsOption = textOption(
  'FILE',
  'JSON file with the fields of the deployment, if they differ from the documented ones',
);

/** Option with the unit of numeric times. */
export const timeUnitOption = choiceOption(
  'UNIT',
  'Unit of numeric times in log files (default: ms, or s if they cannot be ms)',
  timeUnits,
);

/** Options of commands whose output people read in a terminal. */
export const displayOptions = {
  color: inGroup('advanced', choiceOptionWithDefault('auto', 'WHEN', 'When to use colours', colourChoices)),
  noPager: inGroup('advanced', switchOption('Do not show long output in a pager')),
} as const;

/** Options for the zone of shown and read times, and for times in log files. */
export const zoneOptions = {
  zone: zoneOption,
  logZone: logZoneOption,
  timeUnit: timeUnitOption,
} as const;
