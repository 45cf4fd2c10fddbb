import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import * as v from 'valibot';

// Writes what users get with this version as a CycloneDX document, from the lockfile alone.
const { name, version } = v.parse(
  v.object({ name: v.string(), version: v.string() }),
  JSON.parse(readFileSync('package.json', 'utf8')),
);
const words = [
  'sbom',
  '--sbom-format=cyclonedx',
  '--sbom-type=application',
  '--package-lock-only',
  '--omit=dev',
];
const document = v.parse(
  v.looseObject({ metadata: v.looseObject({ component: v.looseObject({}) }) }),
  JSON.parse(execFileSync('npm', [...words, '--offline'], { encoding: 'utf8' })),
);
// npm takes the name of the folder.
document.metadata.component.name = name;
mkdirSync('release', { recursive: true });
const path = `release/${name}-${version}.cdx.json`;
writeFileSync(path, `${JSON.stringify(document, null, 2)}\n`);
console.log(path);
