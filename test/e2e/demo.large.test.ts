import { join } from 'node:path';
import { expect, test } from 'vitest';
import { folder, run, start, startProgram } from './process.ts';

test('the demo ends with commands that work in the folder where it was run', async () => {
  await using here = await folder();
  const { code, out } = await run(['demo'], { cwd: here.path });
  expect(code).toBe(0);
  const commands = nextCommandsIn(out);
  expect(commands.length).toBe(3);
  const [check, keep, search] = await inTurn(commands, here.path);
  expect(check).toMatchObject({ code: 0, out: expect.stringContaining('[mixed-operators]') });
  expect(keep).toMatchObject({ code: 0 });
  expect(search).toMatchObject({ code: 0, out: expect.stringContaining('SEVERE') });

  // The export that it shows as a command is one that another deployment understands.
  const [command = ''] = /npx logquarry export --url .*/.exec(out) ?? [];
  expect(command).toContain(' --from now-36h ');
  const started = start(['emulate', '--now', '--port', '0', '--json'], { cwd: here.path });
  await started.printed('password');
  const { url, user, password } = JSON.parse(started.output());
  const words = command
    .replace(/--url \S+/, `--url ${url} --user ${user}`)
    .split(' ')
    .slice(2);
  const environment = { LOGQUARRY_PASSWORD: password };
  const plan = await run([...words, '--plan'], { cwd: here.path, environment });
  started.child.kill('SIGINT');
  await started.ended;
  expect(plan.code, plan.err).toBe(0);
});

test('"demo --keep" keeps the case, and the commands are about it', async () => {
  await using here = await folder();
  const { code, out } = await run(['demo', '--keep', 'kept.duckdb'], { cwd: here.path });
  expect(code).toBe(0);
  const commands = nextCommandsIn(out);
  expect(commands.filter((command) => command.includes('kept.duckdb')).length).toBe(2);
  const results = await inTurn(commands, here.path);
  expect(results.map(({ code }) => code)).toEqual([0, 0, 0]);

  const again = await run(['demo', '--keep', 'kept.duckdb'], { cwd: here.path });
  expect(again).toMatchObject({
    code: 2,
    err: expect.stringContaining('The file "kept.duckdb" already exists'),
  });
});

function nextCommandsIn(out: string): string[] {
  const [, listed = ''] = out.split('Try next:\n');
  return listed
    .trim()
    .split('\n')
    .map((line) => line.trim());
}

/** Runs command lines in a shell, one after the other, with `npx logquarry` standing for the bundle. */
async function inTurn(commands: readonly string[], cwd: string) {
  const results = [];
  for (const command of commands) {
    expect(command).toMatch(/^npx logquarry /);
    const line = command.replace(
      'npx logquarry',
      `"${process.execPath}" "${join(process.cwd(), 'dist/bin/logquarry.js')}"`,
    );
    results.push(await startProgram('sh', ['-c', line], { cwd }).ended);
  }
  return results;
}
