import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { expect, test } from 'vitest';

/** The reference deployment, file by file. */
const sources = readdirSync('src/emulator', { recursive: true, encoding: 'utf8' })
  .filter((path) => path.endsWith('.ts'))
  .map((path) => ({ path, text: readFileSync(join('src/emulator', path), 'utf8') }));

const secret = String.raw`(?:\w+\.)*(?:token|password|csrf|secret|session)`;
const nothing = `(?:undefined|null|''|"")`;

/** A comparison of a secret that takes as long as its beginning is right; whether there is one at all may be asked. */
const comparison = new RegExp(
  [
    String.raw`\b${secret}\s*[!=]==?(?!=)(?!\s*${nothing})`,
    String.raw`(?<!${nothing})\s[!=]==?\s*${secret}\b(?!\s*[.(:])`,
    String.raw`\b${secret}\.(?:startsWith|endsWith|includes|indexOf|localeCompare|match)\(`,
  ].join('|'),
);

/** The comparisons in a text. */
function comparisonsIn(text: string): string[] {
  return text.split('\n').filter((line) => comparison.test(line));
}

// A clock cannot tell: what a comparison takes too long is less than the noise of the machine.
test('secrets are compared by their digests only, and these in constant time', () => {
  for (const { path, text } of sources) expect([path, comparisonsIn(text)]).toEqual([path, []]);
  // The name and the password of an account, and the value in the forms of a session.
  const using = sources.flatMap(({ path, text }) =>
    [...text.matchAll(/timingSafeEqual\(/g)].map(() => basename(path)),
  );
  expect(using).toEqual(['access.ts', 'access.ts', 'access.ts']);
  const access = sources.find(({ path }) => basename(path) === 'access.ts')?.text ?? '';
  expect([...access.matchAll(/issued\.(?:get|set|delete|has)\((\w+)/g)].map(([, by]) => by)).toEqual([
    ...['key', 'key', 'hash', 'hash', 'hash'],
  ]);
});

test.each([
  ['if (account.password === given)', true],
  ['return given !== token;', true],
  ['known.find(({ csrf }) => csrf == value)', true],
  ['if (token.startsWith(start))', true],
  ['if (token === undefined) return', false],
  [`session !== ''`, false],
  ['timingSafeEqual(account.password, given.password) && name', false],
])('%s is one: %s', (text, isOne) => {
  expect(comparisonsIn(text)).toHaveLength(isOne ? 1 : 0);
});
