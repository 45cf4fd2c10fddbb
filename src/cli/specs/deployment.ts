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
    'A deployment for trials, training and tests: it signs users in, exports logs through jobs, describes its services in SOAP, stores default properties and upgrades itself, like the real one. Without --logs it holds the logs of an invented incident. It also logs its own activity. Ctrl-C stops it.',
  ],
  arguments: {},
  options: {
    logs: textOption('FILE', 'Zip or log file with its logs'),
    now: switchOption('Let the incident end now, so that exports of the last hours contain it'),
    scenario: textOption('FILE', 'JSON file with its behaviour: logs, limits and faults'),
    port: countOptionWithDefault(7080, 'PORT', 'Port to listen on; 0 takes any free port', {
      least: 0,
      most: 65_535,
    }),
    host: textOption('HOST', 'Address to listen on, reachable by others (default: loopback)'),
    allowHost: listOption('NAMES', 'Additional host names in requests, such as the name of this machine'),
    user: textOption('NAME', 'Name of the user (default: admin)'),
    passwordFile: textOption(
      'FILE',
      'File with the password of the user (default: a random password, which is shown)',
    ),
    release: textOption('VERSION', 'Initial version: 10.9, 10.9.1, 11.0, 11.1, 11.2 (default) or 11.3'),
    names: choiceOption('NAMES', 'Naming of the catalog and the properties', ['default', 'arcgis']),
    state: textOption('FILE', 'Store properties, upgrades and uploads there (default: in memory only)'),
    upgradeTime: durationOption('TIME', 'Duration of an upgrade, such as 30s or 1h'),
    json: switchOption('Print the address and the user as JSON'),
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
  summary: 'Run a demo: export an incident, search it, query it in SQL',
  details: [
    'Starts the reference deployment on a free loopback port, exports the last hours of an invented incident through HTTP, and finds its cause. Takes less than a minute and leaves no files.',
  ],
  arguments: {},
  options: {
    keep: textOption('CASE', 'Path to keep the case file at'),
    ui: switchOption('Look at the incident in a browser instead'),
    json: switchOption('Print the results as JSON'),
  },
  examples: [
    { run: 'logquarry demo --ui', about: 'look at the incident in a browser' },
    { run: 'logquarry demo --keep incident.duckdb', about: 'keep the case for further trials' },
  ],
} as const satisfies CommandSpec;
