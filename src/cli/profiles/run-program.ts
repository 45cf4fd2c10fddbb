import { spawn } from 'node:child_process';

/** Options of a program. */
export interface ProgramOptions {
  readonly words: readonly string[];
  readonly environment: { readonly [name: string]: string | undefined };
  /** Standard input. Secrets go there and never into the arguments, which other users of the machine can see. */
  readonly input?: string;
  /** The longest time that it may take, in milliseconds. */
  readonly patience: number;
}

/** Result of a program. */
export type Ran =
  | { readonly code: number | null; readonly output: string }
  /** It could not be started, or did not end in time. */
  | { readonly problem: string };

/** Runs a program to its end. One that takes too long is killed, whatever it has started meanwhile. */
export function runProgram(program: string, options: ProgramOptions): Promise<Ran> {
  const { words, environment, input = '', patience } = options;
  return new Promise((resolve) => {
    const child = spawn(program, words, { env: { ...environment }, stdio: ['pipe', 'pipe', 'ignore'] });
    let output = '';
    const end = (ran: Ran) => {
      clearTimeout(timer);
      // A process that it left behind may hold these open.
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
    // It may end without having read anything.
    child.stdin.on('error', () => {});
    child.stdin.end(input);
  });
}
