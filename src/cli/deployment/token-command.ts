import { exec } from 'node:child_process';
import { promisify } from 'node:util';
import { UsageError } from '../command-line/usage-error.ts';

const run = promisify(exec);

/** Timeout of the command in milliseconds: a password manager may ask a person. */
const patience = 120_000;

/** Runs a shell command that prints a token. Its error output is not shown, because it may hold the token. */
export async function runTokenCommand(command: string): Promise<string> {
  const { stdout } = await run(command, { timeout: patience, maxBuffer: 100_000 }).catch((error: unknown) => {
    const code = error instanceof Error && 'code' in error ? ` (exit code ${String(error.code)})` : '';
    throw new UsageError(`The command of --token-command failed${code}: run it separately`);
  });
  const token = stdout.trim();
  if (/^\S+$/.test(token)) return token;
  throw new UsageError('The command of --token-command must print one token and nothing else');
}
