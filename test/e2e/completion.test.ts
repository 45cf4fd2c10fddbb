import { spawnSync } from 'node:child_process';
import { resolve } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { folder, run, startProgram } from './process.ts';

const bin = `"${process.execPath}" "${resolve('dist/bin/logquarry.js')}"`;

/** In these functions "logquarry" completes; every other call prints its words. */
const bourne = `logquarry() { if [ "$1" = completion ]; then ${bin} "$@"; else printf '<%s>' "$@"; echo; fi; }`;
const fish = `function logquarry; if test "$argv[1]" = completion; ${bin} $argv; else; printf '<%s>' $argv; echo; end; end`;

/** Moves the cursor from the end of the line to the end of the query before " a.duckdb", in its quote. */
const intoQuery = '\u001b[D'.repeat(10);

let here: Awaited<ReturnType<typeof folder>>;
beforeAll(async () => {
  here = await folder();
  await run(['import', resolve('samples/incident.ndjson'), '--into', 'a.duckdb'], { cwd: here.path });
});
afterAll(() => here[Symbol.asyncDispose]());

/** Types lines into an interactive shell on a terminal, and returns what it shows. */
async function type(shell: string, lines: readonly string[]): Promise<string> {
  const { out } = await startProgram('script', ['-qec', shell, '/dev/null'], {
    cwd: here.path,
    environment: { TERM: 'xterm', HOME: here.path },
    input: `${[...lines, 'exit'].join('\n')}\n`,
  }).ended;
  return out;
}

/** Registers a test of a shell: left out where the shell is missing, unless REQUIRE_SHELLS is set. */
function shellTest(shell: string, about: string, body: () => Promise<void>): void {
  const isHere = spawnSync(shell, ['--version']).status === 0;
  test.skipIf(!isHere && !process.env.REQUIRE_SHELLS)(`${about} in ${shell}`, body);
}

test('Tab completes a query in bash, with the values of a case', async () => {
  const shown = await type('bash --norc -i', [
    bourne,
    'source <(logquarry completion bash)',
    `logquarry search 'source:"Rest' a.duckdb${intoQuery}\t`,
    "logquarry histogram a.duckdb -s 'logL\tSEV\t",
    'logquarry search logLevel:SEV\t a.duckdb',
    'logquarry search source:Re\t --case a.duckdb',
  ]);
  expect(shown).toContain('<search><source:"Rest Catalog"><a.duckdb>');
  expect(shown).toContain('<histogram><a.duckdb><-s><logLevel:SEVERE>');
  expect(shown).toContain('<search><logLevel:SEVERE><a.duckdb>');
});

shellTest('zsh', 'Tab completes commands, options and queries', async () => {
  const shown = await type('zsh -f -i', [
    bourne,
    'autoload -U compinit; compinit -D -u',
    'source <(logquarry completion zsh)',
    `logquarry search 'source:"Rest' a.duckdb${intoQuery}\t`,
    // A query may go on, so its quote stays open.
    "logquarry histogram a.duckdb -s 'logL\tSEV\t'",
    'logquarry hist\ta.duckdb --js\t',
  ]);
  expect(shown).toContain('<search><source:"Rest Catalog"><a.duckdb>');
  expect(shown).toContain('<histogram><a.duckdb><-s><logLevel:SEVERE>');
  expect(shown).toContain('<histogram><a.duckdb><--json>');
});

shellTest('fish', 'Tab completes commands, options and queries', async () => {
  const shown = await type('fish --no-config -i', [
    fish,
    'logquarry completion fish | source',
    `logquarry histogram a.duckdb -s 'source:"Rest\t`,
    "logquarry search 'logLevel:SEV\t a.duckdb",
    'logquarry hist\ta.duckdb --js\t',
  ]);
  expect(shown).toContain('<histogram><a.duckdb><-s><source:"Rest Catalog">');
  expect(shown).toContain('<search><logLevel:SEVERE><a.duckdb>');
  expect(shown).toContain('<histogram><a.duckdb><--json>');
});
