import type { CommandSpec } from '../command-line/command.ts';
import {
  choiceOption,
  countOptionWithDefault,
  durationOption,
  listOption,
  switchOption,
  textOption,
} from '../command-line/option.ts';

/** Arguments and options of `logquarry emulate`. */
export const emulateSpec = {
  name: 'emulate',
  summary: 'Run the reference deployment on this machine',
  details: [
    'A deployment to try against, to teach with and to test with: it signs users in, exports logs through jobs, describes its services in SOAP, keeps default properties and upgrades itself, as the real one does. Without "--logs" it holds the logs of an invented incident. It logs its own activity as well. Ctrl-C ends it.',
  ],
  arguments: {},
  options: {
    logs: textOption('FILE', 'A zip or log file whose logs it holds'),
    now: switchOption('Let the incident end now, so that an export of the last hours finds it'),
    scenario: textOption(
      'FILE',
      'JSON file that says how it behaves: what it holds, its limits, what goes wrong',
    ),
    port: countOptionWithDefault(7080, 'PORT', 'Where it listens; 0 takes any free port', {
      least: 0,
      most: 65_535,
    }),
    host: textOption('HOST', 'Listen there instead of on the loopback address, where others can reach it'),
    allowHost: listOption('NAMES', 'Further host names that requests may name, such as that of this machine'),
    user: textOption('NAME', 'Who can sign in; admin unless given'),
    passwordFile: textOption(
      'FILE',
      'File that holds the password of this user; unless given, one is made up and shown',
    ),
    release: textOption(
      'VERSION',
      'The version that it begins as: 10.9, 10.9.1, 11.0, 11.1, 11.2 (default) or 11.3',
    ),
    names: choiceOption('NAMES', 'Whose names the catalog and the properties use', ['default', 'arcgis']),
    state: textOption('FILE', 'Keep properties, upgrades and uploads there; without it they are forgotten'),
    upgradeTime: durationOption('TIME', 'How long an upgrade takes, as 30s or 1h'),
    json: switchOption('Print how to reach it as JSON'),
  },
  requires: { user: 'passwordFile' },
  excludes: { now: ['logs'] },
  examples: [
    { run: 'logquarry emulate --release 11.0 --upgrade-time 5m', about: 'a deployment to be upgraded' },
    { run: 'logquarry emulate', about: 'a deployment after an incident of 12 March 2025' },
    { run: 'logquarry emulate --now', about: 'a deployment whose incident is just over' },
    { run: 'logquarry emulate --logs samples/incident.ndjson --port 0', about: 'with logs of a file' },
    { run: 'logquarry emulate --scenario samples/scenarios/bad-day.json', about: 'to rehearse an export' },
  ],
} as const satisfies CommandSpec;

/** Arguments and options of `logquarry demo`. */
export const demoSpec = {
  name: 'demo',
  summary: 'Show the whole way once: export an incident, search it, ask it in SQL',
  details: [
    'Starts the reference deployment on a free loopback port, exports the last hours, those of an invented incident, from it through HTTP, and finds out what happened. Takes less than a minute and leaves nothing behind.',
  ],
  arguments: {},
  options: {
    keep: textOption('CASE', 'Keep the case file there'),
    json: switchOption('Print what was found as JSON'),
  },
  examples: [{ run: 'logquarry demo --keep incident.duckdb', about: 'keep the case to try more on it' }],
} as const satisfies CommandSpec;
