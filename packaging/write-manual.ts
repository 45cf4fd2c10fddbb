import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { commands } from '../src/cli/command-table.ts';
import { manualPages } from './manual-pages.ts';

const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string };
const folder = 'dist/man';
rmSync(folder, { recursive: true, force: true });
mkdirSync(folder, { recursive: true });
const specs = commands.map(({ spec }) => spec);
for (const { file, text } of manualPages(specs, version)) writeFileSync(join(folder, file), text);
