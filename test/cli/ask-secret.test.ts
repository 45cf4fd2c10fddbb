import { PassThrough } from 'node:stream';
import type { ReadStream, WriteStream } from 'node:tty';
import { expect, test } from 'vitest';
import { askSecret } from '../../src/cli/terminal/terminal.ts';

/** The two sides of a terminal, and whether it was left to show what is typed. */
function terminal() {
  const modes: boolean[] = [];
  const input = Object.assign(new PassThrough(), {
    setRawMode(mode: boolean) {
      modes.push(mode);
    },
  });
  const shown: string[] = [];
  const output = new PassThrough();
  output.on('data', (chunk) => shown.push(String(chunk)));
  // Streams are what a terminal is made of here; nothing else of it is used.
  return {
    input: input as unknown as ReadStream,
    output: output as unknown as WriteStream,
    modes,
    shown,
    type: (text: string) => input.write(text),
  };
}

test.each([
  ['s3cret\r', 's3cret'],
  ['s3\u007f\u007fx\n', 'x'],
  ['päss wörd\r', 'päss wörd'],
])('%j is read as %j and not shown', async (typed, secret) => {
  const { input, output, modes, shown, type } = terminal();
  const asked = askSecret(input, output, 'Password: ');
  for (const character of typed) type(character);
  expect(await asked).toBe(secret);
  expect(shown.join('')).toBe('Password: \n');
  expect(modes).toEqual([true, false]);
});

test('Ctrl-C interrupts, and the terminal is as before', async () => {
  const { input, output, modes, type } = terminal();
  const asked = askSecret(input, output, 'Password: ');
  type('s3c\u0003');
  await expect(asked).rejects.toMatchObject({ name: 'Interrupted' });
  expect(modes).toEqual([true, false]);
});
