import { spawnSync } from 'node:child_process';
import { resolve } from 'node:path';
import { expect, test } from 'vitest';
import { folder, run, startProgram } from './process.ts';

const bin = `"${process.execPath}" "${resolve('dist/bin/logquarry.js')}"`;

/** "logquarry" completes in a shell; every other call prints its words. */
const bash = `logquarry() { if [ "$1" = completion ]; then ${bin} "$@"; else printf '<%s>' "$@"; echo; fi; }`;

test('Tab completes a query in bash, with the values of a case', async () => {
  await using here = await folder();
  await run(['import', resolve('samples/incident.ndjson'), '--into', 'a.duckdb'], { cwd: here.path });
  const keys = [
    bash,
    'source <(logquarry completion bash)',
    // The case stands behind the cursor, which goes back to the query.
    `logquarry search 'source:"Rest' a.duckdb${'\u001b[D'.repeat(10)}\t`,
    "logquarry histogram a.duckdb -s 'logL\tSEV\t",
    'logquarry search logLevel:SEV\t a.duckdb',
    'logquarry search source:Re\t --case a.duckdb',
    'exit',
  ];
  const { out } = await startProgram('script', ['-qec', 'bash --norc -i', '/dev/null'], {
    cwd: here.path,
    input: `${keys.join('\n')}\n`,
  }).ended;
  expect(out).toContain('<search><source:"Rest Catalog"><a.duckdb>');
  expect(out).toContain('<histogram><a.duckdb><-s><logLevel:SEVERE>');
  expect(out).toContain('<search><logLevel:SEVERE><a.duckdb>');
});

const hasFish = spawnSync('fish', ['--version']).status === 0;
test.runIf(hasFish)('Tab completes a query in fish', async () => {
  const script = `function logquarry; ${bin} $argv; end; logquarry completion fish | source; complete -C "logquarry search 'logL"`;
  const { out } = await startProgram('fish', ['-c', script], { cwd: process.cwd() }).ended;
  expect(out).toContain('logLevel:SEVERE\tthe severity');
});
