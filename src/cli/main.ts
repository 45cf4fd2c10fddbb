#!/usr/bin/env node
import { runCommandLine } from './run.ts';
import { processTerminal } from './terminal/terminal.ts';

// It never rejects. It is not awaited, because the bundle is CommonJS, which cannot wait at its top.
void runCommandLine(process.argv.slice(2), processTerminal()).then((exitCode) => {
  process.exitCode = exitCode;
});
