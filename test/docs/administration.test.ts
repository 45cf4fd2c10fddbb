import { readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { commands } from '../../src/cli/command-table.ts';
import { readCommandLine } from '../../src/cli/configuration/run-args.ts';
import * as client from '../../src/client.ts';
import { createDeployment } from '../../src/emulator/deployment.ts';
import { serveDeployment } from '../../src/emulator/serve.ts';
import { run } from '../cli/run-in-process.ts';
import { wordsOf } from '../cli/words-of.ts';
import { largeTest } from '../large-test.ts';
import { commandLinesOf } from './command-lines.ts';
import { expectPrinted } from './printed.ts';

const page = readFileSync('docs/administration.md', 'utf8');

/** The command lines of the page, in their order. */
const lines = commandLinesOf('docs/administration.md').filter(({ line }) => line.startsWith('logquarry '));

largeTest('the examples run one after the other against the reference deployment', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'logquarry-manual-'));
  await using deployment = await createDeployment({
    users: [{ username: 'admin', password: 'a password' }],
    version: '11.0',
    upgradePace: { release: 1000, patch: 1000 },
  });
  await using served = await serveDeployment(deployment);
  await writeFile(join(folder, 'pw'), 'a password\n', { mode: 0o600 });
  await writeFile(join(folder, 'license.json'), '{}');
  const environment = { XDG_CONFIG_HOME: join(folder, 'config') };
  // Files are in the folder, the deployment is this one, and nobody waits long.
  const here = (word: string) =>
    word
      .replace('https://gis.example.com/arcgis', served.url)
      .replace(/^(pw|[\w-]+\.(json|ndjson|txt|duckdb))$/, (name) => join(folder, name));
  try {
    for (const shown of lines) {
      const { line } = shown;
      const [, ...written] = wordsOf(line);
      if (written[0] === 'emulate') {
        expect([line, readCommandLine(written, commands, 80).kind]).toEqual([line, 'call']);
        continue;
      }
      const pause = written.includes('watch') ? ['--every', '1s'] : [];
      const { code, out, err } = await run([...written.map(here), ...pause], { environment });
      expect({ line, code, err }).toEqual({ line, code: 0, err });
      expectPrinted(shown, { out: out.replaceAll(`${folder}/`, ''), err: err.replaceAll(`${folder}/`, '') });
    }
    expect(lines.length).toBeGreaterThan(20);
  } finally {
    await rm(folder, { recursive: true });
  }
});

test('the functions that are named are there', () => {
  const table = page.slice(page.indexOf('| operation | function |'), page.indexOf('A failed call throws'));
  const names = [...table.matchAll(/`(\w+)`/g)].map(([, name = '']) => name);
  expect(names.filter((name) => !(name in client))).toEqual([]);
  expect(names.length).toBeGreaterThan(20);
});
