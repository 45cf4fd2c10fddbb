import { spawn } from 'node:child_process';

/** Options of a program. */
export interface ProgramOptions {
  readonly words: readonly string[];
  readonly environment: { readonly [name: string]: string | undefined };
  /** Standard input. Secrets go here and never into arguments, which other users of the machine can see. */
  readonly input?: string;
  /** Timeout in milliseconds. */
  readonly patience: number;
}

/** Result of a program. */
export type ProgramResult =
  | { readonly code: number | null; readonly output: string }
  /** The program did not start, or did not end in time. */
  | { readonly problem: string };

/** Runs a program to its end; kills it after the timeout. */
export function runProgram(program: string, options: ProgramOptions): Promise<ProgramResult> {
  const { words, environment, input = '', patience } = options;
  return new Promise((resolve) => {
    const child = spawn(program, words, { env: { ...environment }, stdio: ['pipe', 'pipe', 'ignore'] });
    let output = '';
    const end = (ran: ProgramResult) => {
      clearTimeout(timer);
      // A remaining child process may hold these open.
      child.stdin.destroy();
      child.stdout.destroy();
      child.unref();
      resolve(ran);
    };
    const timer = setTimeout(() => {
      child.kill('SIGKILL');
      end({ problem: `no answer in ${patience / 1000} s` });
    }, patience);
    child.on('error', () => end({ problem: 'it cannot be started' }));
    child.on('close', (code) => end({ code, output }));
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      output += text;
    });
    // The program may end without reading its input.
    child.stdin.on('error', () => {});
    child.stdin.end(input);
  });
}
