import type { Requirements } from '../command-line/combinations.ts';
import { durationOption, switchOption, textOption } from '../command-line/option.ts';

/** Options of commands that watch an upgrade. */
export const watchOptions = {
  into: textOption(
    'CASE',
    'Load the messages into a case while they come, with what was received as evidence',
  ),
  out: textOption('FILE', 'Write the messages as NDJSON, which "logquarry import" loads into a case as well'),
  every: durationOption('TIME', 'Look this often (default: 5s)'),
  patience: durationOption(
    'TIME',
    'Give up after this long without an answer, or without a change in a state that is not known, as 30m or 2h (default: 1h)',
  ),
  json: switchOption('Print every event as JSON, one a line'),
} as const;

/** Options that have no effect without `--watch`. */
export const watchRequirements: Requirements = {
  into: 'watch',
  out: 'watch',
  every: 'watch',
  patience: 'watch',
};
