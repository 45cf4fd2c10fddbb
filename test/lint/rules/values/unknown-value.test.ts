import { test } from 'vitest';
import { checkFindings, checkNone, keywords } from '../check-findings.ts';

test.each([
  [
    'a shorter name',
    `
logLevel:WARN
         ^^^^ "WARN" is none of the known values of "logLevel": SEVERE, WARNING, INFO, FINE, VERBOSE, DEBUG
  Change to WARNING: logLevel:WARNING`,
  ],
  [
    'the name of other systems',
    `
logLevel:(ERROR OR fatal)
          ^^^^^ "ERROR" is none of the known values of "logLevel": SEVERE, WARNING, INFO, FINE, VERBOSE, DEBUG
  Change to SEVERE: logLevel:(SEVERE OR fatal)
                   ^^^^^ "fatal" is none of the known values of "logLevel": SEVERE, WARNING, INFO, FINE, VERBOSE, DEBUG
  Change to SEVERE: logLevel:(ERROR OR SEVERE)`,
  ],
  [
    'a misspelling',
    `
serviceTypes:MapSever
             ^^^^^^^^ "MapSever" is none of the known values of "serviceTypes": FeatureServer, GeometryServer, GPServer, GPSyncServer, MapServer, TileServer
  Change to MapServer: serviceTypes:MapServer`,
  ],
  [
    'in quotes',
    `
logLevel:"WARN"
         ^^^^^^ "WARN" is none of the known values of "logLevel": SEVERE, WARNING, INFO, FINE, VERBOSE, DEBUG
  Change to WARNING: logLevel:WARNING`,
  ],
])('%s', (_title, drawing) => {
  checkFindings('unknown-value', drawing);
});

test.each([
  [
    'upper and lower case on a keyword field',
    `
logLevel:severe
         ^^^^^^ "logLevel" tells upper from lower case, and its known value is "SEVERE"
  Change to SEVERE: logLevel:SEVERE`,
    { schema: keywords },
  ],
  [
    'a misspelling on a keyword field',
    `
logLevel:sevre
         ^^^^^ "sevre" is none of the known values of "logLevel": SEVERE, WARNING, INFO, FINE, VERBOSE, DEBUG
  Change to SEVERE: logLevel:SEVERE`,
    { schema: keywords },
  ],
] as const)('%s', (_title, drawing, given) => {
  checkFindings('unknown-value', drawing, given);
});

test.each([
  'logLevel:SEVERE',
  'logLevel:severe',
  'serviceTypes:ImageServer',
  'logLevel:foo',
  'WARN',
  'msg:WARN',
  'logLevel:[WARN TO SEVERE]',
  'logLevel:SEVERE,WARN',
])('%s is in order', (text) => {
  checkNone('unknown-value', text);
});

test.each([['logLevel:SEVERE', { schema: keywords }]] as const)('%s is in order there', (text, given) => {
  checkNone('unknown-value', text, given);
});

test.each([
  [
    'another name for the lowest',
    `
logLevel:trace
         ^^^^^ "trace" is none of the known values of "logLevel": SEVERE, WARNING, INFO, FINE, VERBOSE, DEBUG
  Change to VERBOSE: logLevel:VERBOSE`,
  ],
  [
    'a short name of other systems',
    `
logLevel:err
         ^^^ "err" is none of the known values of "logLevel": SEVERE, WARNING, INFO, FINE, VERBOSE, DEBUG
  Change to SEVERE: logLevel:SEVERE`,
  ],
  [
    'the name of other systems for the worst',
    `
logLevel:critical
         ^^^^^^^^ "critical" is none of the known values of "logLevel": SEVERE, WARNING, INFO, FINE, VERBOSE, DEBUG
  Change to SEVERE: logLevel:SEVERE`,
  ],
  [
    'what begins two of them',
    `
serviceTypes:gps
             ^^^ "gps" is none of the known values of "serviceTypes": FeatureServer, GeometryServer, GPServer, GPSyncServer, MapServer, TileServer
  Change to GPServer: serviceTypes:GPServer
  Change to GPSyncServer: serviceTypes:GPSyncServer`,
  ],
  [
    'what begins one of them',
    `
serviceTypes:geo
             ^^^ "geo" is none of the known values of "serviceTypes": FeatureServer, GeometryServer, GPServer, GPSyncServer, MapServer, TileServer
  Change to GeometryServer: serviceTypes:GeometryServer`,
  ],
  [
    'a longer name',
    `
logLevel:INFORMATION
         ^^^^^^^^^^^ "INFORMATION" is none of the known values of "logLevel": SEVERE, WARNING, INFO, FINE, VERBOSE, DEBUG
  Change to INFO: logLevel:INFO`,
  ],
])('%s', (_title, drawing) => {
  checkFindings('unknown-value', drawing);
});

test.each([
  'serviceTypes:Server',
  'serviceTypes:g',
  'logLevel:WA',
  'logLevel:[SEVER TO X]',
  'logLevel:"a b"',
])('%s is in order too', (text) => {
  checkNone('unknown-value', text);
});

test.each(['logLevel:>SEVER', 'logLevel:SEVER~1', 'logLevel:SEVER*'])('%s is in order there', (text) => {
  checkNone('unknown-value', text, { dialect: 'lucene' });
});
