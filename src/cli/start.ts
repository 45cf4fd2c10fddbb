#!/usr/bin/env node
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { codeCachePath, openCodeCache } from './code-cache.ts';
import { loadBundle } from './load-bundle.ts';

const code = openCodeCache(codeCachePath(process.argv.slice(2), process.env));
// A call that failed has loaded but a part of what its command needs.
process.on('exit', (exitCode) => {
  if (exitCode === 0) code.save();
});
loadBundle(dirname(fileURLToPath(import.meta.url)), 'main.js', code);
