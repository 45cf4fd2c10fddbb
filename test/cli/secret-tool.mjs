#!/usr/bin/env node
// Behaves as `secret-tool` of libsecret: secrets come on the standard input and go out without a line break.
import { appendFileSync, existsSync, readFileSync, writeFileSync } from 'node:fs';

const [command, ...words] = process.argv.slice(2);
const store = process.env.FAKE_RING;
if (!store) process.exit(1);
appendFileSync(`${store}.calls`, `${JSON.stringify(process.argv.slice(2))}\n`);
const mode = existsSync(`${store}.mode`) ? readFileSync(`${store}.mode`, 'utf8') : '';
if (mode === 'fails') {
  process.stderr.write('secret-tool: Cannot autolaunch D-Bus without X11 $DISPLAY\n');
  process.exit(1);
}
const ring = existsSync(store) ? JSON.parse(readFileSync(store, 'utf8')) : {};
const key = JSON.stringify(words.filter((word) => !word.startsWith('--label')));
if (mode === 'hangs') setInterval(() => {}, 1000);
else if (command === 'store') {
  const secret = readFileSync(0, 'utf8');
  if (mode !== 'forgets') writeFileSync(store, JSON.stringify({ ...ring, [key]: secret }));
} else if (command === 'lookup') {
  if (ring[key] === undefined) process.exit(1);
  process.stdout.write(ring[key]);
} else if (command === 'clear') {
  delete ring[key];
  writeFileSync(store, JSON.stringify(ring));
}
