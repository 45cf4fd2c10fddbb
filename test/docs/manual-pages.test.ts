import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { manualPages } from '../../packaging/manual-pages.ts';
import { optionFlag } from '../../src/cli/command-line/option.ts';
import { commands } from '../../src/cli/command-table.ts';

const specs = commands.map(({ spec }) => spec);
const pages = manualPages(specs, '1.2.3');
const packageText = readFileSync('package.json', 'utf8');

const hasGroff = spawnSync('groff', ['--version']).status === 0;

/** A page as a terminal of 200 columns shows it, and what is wrong with it. */
function shown(text: string): { readonly out: string; readonly err: string } {
  const words = ['-man', '-Tutf8', '-ww', '-rLL=200n', '-P-cbou'];
  const { stdout, stderr } = spawnSync('groff', words, { input: text, encoding: 'utf8' });
  return { out: stdout.replaceAll('\u2010', '-').replaceAll('\u00ad', ''), err: stderr };
}

// `npm run docs` writes the list where it differs.
test('the package lists the pages of all commands', async () => {
  const names = pages.map(({ file }) => `    "dist/man/${file}"`).toSorted();
  const listed = packageText.replace(/("man": \[\n)[^\]]*(\n {2}\])/, `$1${names.join(',\n')}$2`);
  await expect(listed).toMatchFileSnapshot('../../package.json');
});

describe.each(pages)('$file', ({ file, text }) => {
  const spec = specs.find(({ name }) => file === `logquarry-${name.replaceAll(' ', '-')}.1`);

  test('has the sections and the options of the help', () => {
    const sections = [...text.matchAll(/^\.SH (.+)$/gm)].map(([, title]) => title);
    const order = [
      'NAME',
      'SYNOPSIS',
      'DESCRIPTION',
      'COMMANDS',
      'ARGUMENTS',
      'OPTIONS',
      'EXAMPLES',
      'EXIT STATUS',
      'SEE ALSO',
    ];
    expect(order.filter((title) => sections.includes(title))).toEqual(sections);
    const flags = Object.keys(spec?.options ?? {}).map((name) => optionFlag(name).replaceAll('-', '\\-'));
    expect(flags.filter((flag) => !text.includes(flag))).toEqual([]);
  });

  test('has no requests but those of the package "man", and only ASCII', () => {
    const requests = [...text.matchAll(/^[.'](\S*)/gm)].map(([, name]) => name);
    expect(requests.filter((name) => !/^(\\"|TH|SH|SS|TP|PP|RS|RE|nf|fi)$/.test(name ?? ''))).toEqual([]);
    expect(text).toMatch(/^[\n -~]+$/);
  });

  test.runIf(hasGroff)('is set without a warning, examples as they are typed', () => {
    const { out, err } = shown(text);
    expect(err).toBe('');
    const lines = out.split('\n').map((line) => line.trim());
    expect((spec?.examples ?? []).map(({ run }) => run).filter((run) => !lines.includes(run))).toEqual([]);
  });
});
