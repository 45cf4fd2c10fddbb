import { runCommandLine } from './run.ts';
import { processTerminal } from './terminal/terminal.ts';

// Never rejects. Not awaited, because the bundle is CommonJS, without top-level await.
void runCommandLine(process.argv.slice(2), processTerminal()).then((exitCode) => {
  process.exitCode = exitCode;
});
