import { exec } from 'node:child_process';
import { promisify } from 'node:util';
import { UsageError } from '../command-line/usage-error.ts';

const run = promisify(exec);

/** A command that asks a keeper of secrets for a token may itself ask a person. Milliseconds. */
const patience = 120_000;

/** The token that a shell command prints, as keepers of secrets do. What it says when it fails is not shown: it may be one. */
export async function runForToken(command: string): Promise<string> {
  const { stdout } = await run(command, { timeout: patience, maxBuffer: 100_000 }).catch((error: unknown) => {
    const code = error instanceof Error && 'code' in error ? ` (exit code ${String(error.code)})` : '';
    throw new UsageError(`The command of "--token-command" failed${code}: try it by itself`);
  });
  const token = stdout.trim();
  if (/^\S+$/.test(token)) return token;
  throw new UsageError('The command of "--token-command" requires to print one token and nothing else');
}
