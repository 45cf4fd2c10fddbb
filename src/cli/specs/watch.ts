import type { Requirements } from '../command-line/combinations.ts';
import { span, text, toggle } from '../command-line/option.ts';

/** The options of the commands that watch an upgrade. */
export const watchOptions = {
  into: text('CASE', 'Load the messages into a case while they come, with what was received as evidence'),
  out: text('FILE', 'Write the messages as NDJSON, which "logquarry import" loads into a case as well'),
  every: span('TIME', 'Look this often (default: 5s)'),
  patience: span(
    'TIME',
    'Give up after this long without an answer, or without a change in a state that is not known, as 30m or 2h (default: 1h)',
  ),
  json: toggle('Print every event as JSON, one a line'),
} as const;

/** The options that do nothing where a start is not watched. */
export const watchRequirements: Requirements = {
  into: 'watch',
  out: 'watch',
  every: 'watch',
  patience: 'watch',
};
