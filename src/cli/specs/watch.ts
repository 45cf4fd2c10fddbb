import type { Requirements } from '../command-line/combinations.ts';
import { durationOption, switchOption, textOption } from '../command-line/option.ts';

/** Options of commands that watch an upgrade. */
export const watchOptions = {
  into: textOption('CASE', 'Load the messages into a case as they arrive, with the replies as evidence'),
  out: textOption('FILE', 'Write the messages as NDJSON, which "logquarry import" can load into a case'),
  every: durationOption('TIME', 'Interval of status requests (default: 5s)'),
  patience: durationOption(
    'TIME',
    'Give up after this time without a reply, or without a change of an unknown state, such as 30m or 2h (default: 1h)',
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
