import type { CommandSpec } from '../command.ts';
import { countOr, text, toggle } from '../option.ts';

/** What `logquarry emulate` takes. */
export const emulateSpec = {
  name: 'emulate',
  summary: 'Run the reference deployment on this machine',
  details: [
    'A deployment to try against, to teach with and to test with: it signs users in and exports logs through jobs, as the real one does. Without "--logs" it holds the logs of an invented incident. It logs its own activity as well. Ctrl-C ends it.',
  ],
  arguments: {},
  options: {
    logs: text('FILE', 'A zip or log file whose logs it holds'),
    port: countOr(7080, 'PORT', 'Where it listens; 0 takes any free port', { least: 0, most: 65_535 }),
    host: text('HOST', 'Listen there instead of on the loopback address, where others can reach it'),
    user: text('NAME', 'Who can sign in; admin unless given'),
    passwordFile: text(
      'FILE',
      'File that holds the password of this user; unless given, one is made up and shown',
    ),
    json: toggle('Print how to reach it as JSON'),
  },
  examples: [
    { run: 'logquarry emulate', about: 'a deployment after an incident' },
    { run: 'logquarry emulate --logs samples/incident.ndjson --port 0', about: 'with logs of a file' },
  ],
} as const satisfies CommandSpec;

/** What `logquarry demo` takes. */
export const demoSpec = {
  name: 'demo',
  summary: 'Show the whole way once: export an incident, search it, ask it in SQL',
  details: [
    'Starts the reference deployment on a free loopback port, exports the hours of an invented incident from it through HTTP, and finds out what happened. Takes less than a minute and leaves nothing behind.',
  ],
  arguments: {},
  options: {
    keep: text('CASE', 'Keep the case file there'),
    json: toggle('Print what was found as JSON'),
  },
  examples: [{ run: 'logquarry demo --keep incident.duckdb', about: 'keep the case to try more on it' }],
} as const satisfies CommandSpec;
