import { expect, test } from 'vitest';
import { sampled } from '../effort.ts';
import { checkText } from './check-text.ts';

/** Texts that the fuzzer, or a look at what it tried, found something with; what that was. */
const found: readonly (readonly [what: string, text: string])[] = [
  ['groups in groups used up the stack', `${'a OR b AND ('.repeat(200)}a${')'.repeat(200)}`],
  ['thousands of findings each had a fix', `a NOT (NOT b AND c)${'NOT ('.repeat(500)}`],
  ['a long word of many scripts took seconds', '\u{e0061}Σカ\u00ad.👍々👍'.repeat(200)],
  ['a repeated pattern took seconds', '/(<1-15>{0,279}&[^é]{0,242}[^é]{0,235}){3}/ \\u00msg*'],
  ['a pattern within a pattern took seconds', '>~\\u0041 /c{0,}😀{3,3}/ /((a|bc){246,}.{12,}~é){3}/'],
  ['an empty escape stood at the end of a bound', '{7e+0 TO "*"\\}'],
  ['an escape in a pattern was not read', '/\\u12/ OR a\\u00*'],
  ['a refused pattern was tried for every default field', '/(<1-15>{10}é@){3}/ \ntimeouté />".#1&/'],
];

test.each(sampled(found, 2))('%s', (_what, text) => {
  expect(() => checkText(text)).not.toThrow();
});
