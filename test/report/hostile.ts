import type { Log } from '../../src/records/log.ts';

/** Texts that attack the reader of a report: markup, links, formulas, terminals, directions, invisible characters. */
export const hostileTexts: readonly string[] = [
  '<script>alert(1)</script>',
  '</script><script>alert(1)</script><!--',
  '<img src=x onerror=alert(1)>',
  `"><svg/onload=alert(1)>'`,
  '</pre></details></td></table><iframe src="javascript:alert(1)">',
  '&lt;b&gt; &amp; {{7*7}} $(7*7)',
  '[click](https://evil.example/) ![x](https://evil.example/i.png) <https://evil.example>',
  'https://evil.example/ and www.evil.example',
  '| a | b |\n| --- | --- |\n# heading',
  '=cmd|"/c calc"!A1',
  '\n=1+1',
  '\uff1d1+1',
  '+1+1',
  '-1+1',
  '@SUM(1)',
  '\t=HYPERLINK("https://evil.example","x")',
  '\u001b]8;;https://evil.example\u001b\\x\u001b]8;;\u001b\\',
  '\u001b]52;c;ZXZpbA==\u0007',
  'a\u202eb\u2066c\u200bd\u{e0041}e',
  'nul \u0000 in it',
  '\u2028\u2029]]>',
  '__proto__',
  'x'.repeat(1_000_000),
];

/** A log for each text, with the text in every field, and two at the edges of time. */
export function hostileLogs(start: number): readonly Log[] {
  const inAll = (text: string, index: number): Log => ({
    time: start + index * 1000,
    logLevel: index % 2 === 0 ? 'SEVERE' : text.slice(0, 50),
    msg: text,
    source: text.slice(0, 200),
    username: text.slice(0, 200),
    requestID: text.slice(0, 200),
    className: text.slice(0, 200),
    methodName: text.slice(0, 200),
    machine: text.slice(0, 200),
    stackTraces: text,
    logCode: index,
  });
  return [
    ...hostileTexts.map(inAll),
    { time: Date.UTC(9999, 11, 31), logLevel: 'SEVERE', msg: 'year 9999' },
    { logLevel: 'SEVERE', msg: 'no time' },
  ];
}
