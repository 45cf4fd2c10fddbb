import { execFile } from 'node:child_process';
import { chmod, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join, resolve } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'logquarry-test-'));
  await mkdir(join(folder, 'bin'));
  await mkdir(join(folder, 'my queries'));
  const program = join(folder, 'bin', 'logquarry');
  await writeFile(
    program,
    `#!/bin/sh\nexec "${process.execPath}" "${resolve('dist/bin/logquarry.js')}" "$@"\n`,
  );
  await chmod(program, 0o755);
  await writeFile(join(folder, 'my queries', 'a.txt'), '# name: Levels\nlevle:SEVERE\n');
  await writeFile(join(folder, 'b.txt'), 'msg:timeout\n');
});
afterAll(() => rm(folder, { recursive: true }));

interface Ended {
  readonly code: number;
  readonly out: string;
}

function runShell(script: string, environment: Readonly<Record<string, string>> = {}): Promise<Ended> {
  const path = join(folder, 'bin') + delimiter + (process.env.PATH ?? '');
  const env = { ...environment, PATH: path };
  return new Promise((end) => {
    const child = execFile('sh', ['-e', '-c', script], { cwd: folder, env }, (_error, out) =>
      end({ code: child.exitCode ?? -1, out }),
    );
  });
}

/** The script of the last step of the action, as a runner reads the block. */
async function actionScript(): Promise<string> {
  const [, block = ''] =
    /run: \|\n([\s\S]+)$/.exec(await readFile('integrations/github-action/action.yml', 'utf8')) ?? [];
  return block.replace(/^ {8}/gm, '');
}

test('the action checks all its files, fails from the severity on, and writes SARIF', async () => {
  const script = await actionScript();
  const given = { FILES: 'my queries\nb.txt\n', FAIL_ON: 'error', SARIF: '', HELP_URI: '' };
  const passed = await runShell(script, given);
  expect(passed.code).toBe(0);
  expect(passed.out).toContain('my queries/a.txt:2:1: warning: ');
  expect((await runShell(script, { ...given, FAIL_ON: 'warning', SARIF: 'f.sarif' })).code).toBe(1);
  const written = JSON.parse(await readFile(join(folder, 'f.sarif'), 'utf8'));
  expect(written.runs[0].results).toMatchObject([{ ruleId: 'unknown-field', level: 'warning' }]);
  const linked = { ...given, SARIF: 'linked.sarif', HELP_URI: 'https://docs.example.com/findings.html' };
  expect((await runShell(script, linked)).code).toBe(0);
  const [{ tool }] = JSON.parse(await readFile(join(folder, 'linked.sarif'), 'utf8')).runs;
  expect(tool.driver.rules[0].helpUri).toMatch(/^https:\/\/docs.example.com\/findings.html#/);
  expect((await runShell(script, { ...given, FILES: '$(touch x)' })).code).toBe(2);
});

test('the hook runs the command with its arguments', async () => {
  const hook = await readFile('.pre-commit-hooks.yaml', 'utf8');
  const entry = /^ {2}entry: (.+)$/m.exec(hook)?.[1];
  const args = /^ {2}args: \[(.+)\]$/m.exec(hook)?.[1]?.replace(', ', ' ');
  await mkdir(join(folder, 'queries'));
  await writeFile(join(folder, 'queries', 'c.txt'), '(a\n');
  const ended = await runShell(`${entry} ${args}`);
  expect(ended).toEqual({ code: 1, out: expect.stringContaining('queries/c.txt:1:1: error: ') });
});
