import { expect, test } from 'vitest';
import { folder, start } from './process.ts';

/** Starts the page of an empty folder; resolves with its port, what it says, and a way to end it. */
async function page(cwd: string) {
  const { child, ended, printed } = start(['ui', '--json', '--no-open'], { cwd });
  await printed('"url"');
  const end = async () => {
    child.kill('SIGTERM');
    const { out, err } = await ended;
    return { port: new URL(JSON.parse(out).url).port, err };
  };
  return { end };
}

test('the page has its usual port, or says that another program has it', async () => {
  await using here = await folder();
  const first = await page(here.path);
  const second = await page(here.path);
  const [of, other] = [await first.end(), await second.end()];
  // On this machine another program may have the port, as the first page has it for the second.
  if (of.port === '7090') expect(of.err).toBe('');
  else expect(of.err).toContain('The usual port 7090 is taken');
  expect(other.port).not.toBe('7090');
  expect(other.err).toContain('The usual port 7090 is taken: links to it do not lead to this page');
});
