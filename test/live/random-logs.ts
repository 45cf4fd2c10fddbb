import fc from 'fast-check';
import type { FieldValue, FieldValues } from '../../src/language/meaning/match.ts';
import { type Field, logLevels, type Schema } from '../../src/language/meaning/schema.ts';
import { edgeValues } from '../../src/testing/edge-numbers.ts';
import { analyzerText } from '../property/analyzer-text.ts';

/**
 * Logs as a deployment has them, some with texts that are hard to analyse.
 * All draw from the same few values, so that queries made of these find something.
 */

const host = fc.constantFrom('gis-map-3', 'gis-feature-2.example.com', '10.1.2.3', 'store.example.com');
const number = fc.oneof(fc.nat({ max: 9 }), fc.nat({ max: 90_000 }), fc.constantFrom(9003, 443, 6443, 2024));
const service = fc
  .tuple(
    fc.constantFrom('Hosted', 'Utilities', 'System', 'Roads-2024', 'Água', 'Parcels_v2'),
    fc.constantFrom('Geocode', 'rivers_lakes', 'PrintingTools', 'Site-Plan', '地図', 'Basemap'),
    fc.constantFrom('MapServer', 'FeatureServer', 'GPServer', 'ImageServer'),
  )
  .map(([folder, name, type]) => `${folder}/${name}.${type}`);
const className = fc.constantFrom(
  ...[
    'java.lang.NullPointerException',
    'com.vendor.geo.Tile_Cache$Worker',
    'org.postgresql.jdbc.PgConnection',
  ],
  ...['io.netty.channel.AbstractChannel', 'UpgradeManager', 'TokenService'],
);
const frame = fc
  .tuple(className, fc.constantFrom('run', '<init>', 'applyEdits', 'query'), fc.nat({ max: 800 }))
  .map(([name, method, line]) => `\tat ${name}.${method}(Worker.java:${line})`);

const message = fc.oneof(
  fc.tuple(service, number).map(([name, ms]) => `Wait time for '${name}' request is ${ms} milliseconds.`),
  fc
    .tuple(host, number)
    .map(([name, port]) => `Connection refused: https://${name}:${port}/arcgis/rest?f=json&a=1%3D1`),
  fc
    .tuple(fc.uuid(), fc.constantFrom('COMPLETED', 'FAILED', 'timed out'))
    .map(([id, end]) => `Job j${id} ${end};`),
  fc.constantFrom(
    'Login failed for user DOMAIN\\bob (no such user)',
    "Don't retry: the connection pool is exhausted",
    'Path C:\\temp\\bar baz.txt not found; /var/log/gis/a.log rotated',
    'Updated Kubernetes Secret db-credentials in namespace “gis”',
    'ΣΊΣΥΦΟΣ İstanbul Straße naïve café 서비스 カタログ 中国 😀 C++ C# 1.45195 3,000 foo-bar key=value,a=1',
    '...',
    '',
  ),
);

const texts: { readonly [field: string]: fc.Arbitrary<string> } = {
  msg: message,
  source: fc.oneof(service, fc.constantFrom('Sharing', 'Enterprise Admin', 'Soap Catalog', 'Rest')),
  className,
  methodName: fc.constantFrom('run', '<init>', 'doPost', 'handle_request'),
  username: fc.constantFrom('admin', 'maria@example.com', 'DOMAIN\\bob', "O'Neil", 'jane.doe', '李雷', ''),
  stackTraces: fc
    .tuple(className, fc.array(frame, { minLength: 1, maxLength: 5 }))
    .map(([name, frames]) => [`${name}: connection timed out`, ...frames].join('\n')),
  serviceTypes: fc.constantFrom('MapServer', 'FeatureServer', 'GPServer', 'MapServer, FeatureServer'),
  logLevel: fc.constantFrom(...logLevels),
  machine: host,
};

const numbers = {
  integer: fc.oneof(
    fc.constantFrom(9003, 9004, 9029, 1312, 8002, 100004, 0, -1),
    fc.integer({ min: 1000, max: 9999 }),
    fc.maxSafeInteger(),
    fc.constantFrom(...edgeValues.integer),
  ),
  decimal: fc.oneof(
    fc.integer({ min: 0, max: 5000 }).map((milliseconds) => milliseconds / 1000),
    fc.constantFrom(0, 0.5, 1, 1.5, 0.1, 1e-7, 1e21, -1.5),
    fc.double({ min: 0, max: 10, noNaN: true }),
    fc.constantFrom(...edgeValues.decimal),
  ),
  date: fc.integer({ min: 1_700_000_000_000, max: 1_700_000_600_000 }),
};

// Half a surrogate pair is no text: an index in UTF-8 cannot hold it.
const hostile = analyzerText.filter((text) => text.isWellFormed());

function value({ name, type }: Field): fc.Arbitrary<FieldValue> {
  if (type !== 'text' && type !== 'keyword') return numbers[type];
  const usual = texts[name] ?? fc.oneof(fc.uuid(), fc.constantFrom('main', 'worker-1', '7'));
  return fc.oneof({ arbitrary: usual, weight: 12 }, { arbitrary: hostile, weight: 1 });
}

/** Random logs of a schema. Most have most fields; one in many has none. */
export function randomLog({ fields }: Schema): fc.Arbitrary<FieldValues> {
  const present = [...fields.values()].map(
    (field) => [field.name, fc.option(value(field), { freq: 4, nil: undefined })] as const,
  );
  const log = fc.record<FieldValues>(Object.fromEntries(present));
  return fc.oneof({ arbitrary: log, weight: 50 }, { arbitrary: fc.constant({}), weight: 1 });
}
