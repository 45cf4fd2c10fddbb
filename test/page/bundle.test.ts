import { readdirSync, readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';

const files = readdirSync('dist/bin/page');

test('the page is light: all of it below 200 kB, compressed', () => {
  expect(files).toContain('page.js');
  const sizes = files.map((name) => gzipSync(readFileSync(`dist/bin/page/${name}`)).length);
  expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(200_000);
});

test('the page has no inline script and no style in its markup', () => {
  const html = readFileSync('dist/bin/page/index.html', 'utf8');
  expect(html).not.toMatch(/<style|style=|\son\w+=|<script(?![^>]*src=)/);
});
