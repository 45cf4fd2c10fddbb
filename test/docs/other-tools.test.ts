import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { DuckDBInstance } from '@duckdb/node-api';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

const page = readFileSync('docs/other-tools.md', 'utf8');
const program = resolve('dist/bin/logquarry.js');
const runFile = promisify(execFile);

interface Example {
  readonly command: string;
  readonly printed: string;
}

/** The blocks of a language. */
function blocks(language: string): string[] {
  return [...page.matchAll(new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\`$`, 'gm'))].map(
    ([, text = '']) => text,
  );
}

/** Commands behind "$ ", each with the lines that it prints, in the order in which a reader meets them. */
const examples: readonly Example[] = blocks('sh').flatMap((block) =>
  block.split(/^\$ /m).flatMap((text) => {
    const [command = '', ...printed] = text.split('\n');
    return command === '' ? [] : [{ command, printed: printed.join('\n') }];
  }),
);

/** SQL statements, each with its rows as remarks. */
const statements: readonly Example[] = blocks('sql').map((block) => {
  const lines = block.trimEnd().split('\n');
  const isRow = (line: string) => line.startsWith('-- ');
  return {
    command: lines.filter((line) => !isRow(line)).join('\n'),
    printed: lines.filter(isRow).join('\n').replaceAll('-- ', ''),
  };
});

let folder = '';
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'manual-test-'));
  await cp('samples', join(folder, 'samples'), { recursive: true });
});
afterAll(() => rm(folder, { recursive: true }));

/** The output of a command of the page, in a shell with "logquarry" as a command. */
async function shell(command: string): Promise<string> {
  const script = `set -euo pipefail; logquarry() { "${process.execPath}" "${program}" "$@"; }; ${command}`;
  const { stdout } = await runFile('bash', ['-c', script], { cwd: folder });
  return stdout;
}

const hasJq = await runFile('jq', ['--version']).then(
  () => true,
  () => false,
);

describe('the commands of the page on other tools', () => {
  test('are there', () => {
    expect([examples.length, statements.length]).toEqual([15, 2]);
  });

  for (const { command, printed } of examples) {
    const needsJq = /\bjq\b|bulk\.ndjson|incident\.jsonl/.test(command);
    test(command, async ({ skip }) => {
      if (needsJq && !hasJq) skip('there is no jq');
      const out = await shell(command);
      // The import prints a table, which other pages explain.
      if (!command.startsWith('logquarry import')) expect(out).toBe(printed);
    });
  }

  test.each(statements)('$command', async ({ command, printed }) => {
    const instance = await DuckDBInstance.create(join(folder, 'incident.duckdb'), {
      access_mode: 'READ_ONLY',
    });
    const connection = await instance.connect();
    await connection.run(`SET file_search_path = '${folder}'`);
    const rows = (await connection.runAndReadAll(command)).getRows();
    expect(rows.map((row) => row.map(String).join(' | ')).join('\n')).toBe(printed);
    connection.closeSync();
    instance.closeSync();
  });
});
