/** Some 10 kB of one thing: shapes on which work could grow faster than the text. */
export const largeQueries: readonly (readonly [shape: string, text: string])[] = [
  ['one word', 'a'.repeat(10_000)],
  ['words', repeated('word', ' ')],
  ['different words', numbered((number) => `w${number}`, ' ')],
  ['words with AND', repeated('word', ' AND ')],
  ['different words with AND', numbered((number) => `w${number}`, ' AND ')],
  ['words on one field', numbered((number) => `msg:w${number}`, ' OR ')],
  [
    'AND and OR mixed',
    numbered(
      (number) => `msg:w${number}`,
      (number) => (number % 3 === 0 ? ' AND ' : ' OR '),
    ),
  ],
  [
    'operators on default fields',
    numbered(
      (number) => `w${number}`,
      (number) => [' AND ', ' OR ', ' NOT '][number % 3] ?? '',
    ),
  ],
  ['characters that are words', '中国'.repeat(1700)],
  ['emoji', '👍🏽'.repeat(900)],
  ['an escape for each character', '\\a'.repeat(5000)],
  ['a phrase', `"${repeated('ab', ' ', 9998)}"`],
  ['a phrase of different words', `"${numbered((number) => `w${number}`, ' ', 9998)}"`],
  ['a phrase on a keyword', `requestID:"${repeated('ab', ' ', 9980)}"`],
  ['a sloppy phrase of two words', `"${repeated('a b', ' ', 8000)}"~5`],
  ['a sloppy phrase of one word', `"${repeated('a', ' ', 9990)}"~100`],
  ['a sloppy phrase of different words', `"${numbered((number) => `w${number}`, ' ', 9990)}"~5`],
  ['a sloppy phrase of as many words as are taken', `msg:"${repeated('a b', ' ', 999)}"~5`],
  ['a very sloppy phrase', `msg:"${repeated('a b c', ' ', 9970)}"~2147483647`],
  ['sloppy phrases', numbered((number) => `msg:"a b c${number % 7} a"~${number}`, ' OR ')],
  ['phrases in one another', numbered((number) => `msg:"${'a b '.repeat(1 + (number % 40))}"`, ' AND ')],
  ['groups', `${'('.repeat(190)}a${')'.repeat(190)}`],
  ['groups with NOT', `${'NOT ('.repeat(190)}a b c${')'.repeat(190)}`],
  ['groups that mix operators', `${'a OR b AND (c NOT '.repeat(190)}a${')'.repeat(190)}`],
  ['NOT chains', repeated('NOT (NOT a)', ' AND ')],
  ['NOT over default fields', numbered((number) => `NOT w${number}`, ' AND ')],
  ['wildcards', numbered((number) => `msg:a${number}*b?c`, ' OR ')],
  ['prefixes', numbered((number) => `msg:a${number}*`, ' AND ')],
  ['one long wildcard', `msg:${'a*?'.repeat(3300)}`],
  ['a wildcard of stars', `msg:${'*'.repeat(9990)}b`],
  ['a wildcard of question marks', `msg:${'?'.repeat(9990)}`],
  ['a long prefix', `${'a'.repeat(9998)}*`],
  ['fuzzy words', numbered((number) => `msg:timeout${number}~2`, ' OR ')],
  ['one long fuzzy word', `${'ab'.repeat(4998)}~2`],
  ['one long fuzzy word of default fields', numbered((number) => `${'ab'.repeat(100)}${number}~2`, ' AND ')],
  ['a regular expression', `/${'ab?'.repeat(330)}/`],
  ['a regular expression that is too long', `/${'a|b'.repeat(3300)}/`],
  ['a deep regular expression', `/${'('.repeat(499)}a${')'.repeat(499)}/`],
  ['a regular expression that is too deep', `/${'('.repeat(3000)}a${')'.repeat(3000)}/`],
  ['a regular expression of complements', `/${'~'.repeat(6000)}a/`],
  ['a regular expression of intersections', `/${'a&'.repeat(499)}a/`],
  ['a regular expression of repetitions', `/a${'{3}'.repeat(300)}/`],
  ['a costly regular expression', 'msg:/(.*a.{12}){3}/'],
  ['costly regular expressions', numbered((number) => `msg:/(.*${number % 10}.{9}é){3}/`, ' OR ')],
  ['regular expressions', numbered((number) => `msg:/a${number}(b|c)+/`, ' OR ')],
  ['ranges', numbered((number) => `logCode:[${number} TO ${2 * number}]`, ' OR ')],
  ['ranges of decimals', numbered((number) => `elapsed:{${number}.5 TO ${number + 3}.25]`, ' AND ')],
  ['ranges of text', numbered((number) => `msg:[a${number} TO b${number}]`, ' OR ')],
  ['ranges of a keyword', numbered((number) => `requestID:[a${number} TO b${number}]`, ' AND ')],
  ['ranges over default fields', numbered((number) => `[${number} TO ${number + 1}]`, ' OR ')],
  ['a long range', `msg:[${'a'.repeat(4990)} TO ${'b'.repeat(4990)}]`],
  ['dates', numbered((number) => `time:[2024-01-01||+${number}d/d TO now]`, ' OR ')],
  ['one field again and again', repeated('logLevel:SEVERE', ' OR ')],
  ['unknown fields', numbered((number) => `f${number}:a`, ' OR ')],
  ['fields that are patterns', repeated('\\*:a', ' OR ')],
  ['existence', repeated('_exists_:msg', ' AND ')],
  ['boosts', repeated('a^2', ' OR ')],
  ['plus signs', repeated('+a', ' ')],
  ['contradictions', numbered((number) => `(msg:w${number} AND NOT msg:w${number})`, ' OR ')],
  [
    'exclusive or',
    numbered((number) => `((msg:w${number} OR msg:v) AND NOT (msg:w${number} AND msg:v${number}))`, ' AND '),
  ],
  [
    'pairs far apart',
    `${pairs(
      80,
      (number) => `msg:w${number}`,
      (number) => `msg:v${number}`,
    )}`,
  ],
  ['typographic quotes', repeated('“a b”', ' ')],
  ['paths', repeated('/a/b/c', ' ')],
  ['addresses', repeated('https://h.x/a/b', ' ')],
  ['signs instead of colons', repeated('logLevel=SEVERE', ' ')],
  ['ranges without brackets', repeated('1 TO 5', ' OR ')],
  ['what is broken', '(:"[~/'.repeat(1600)],
];

function repeated(piece: string, by: string, length = 10_000): string {
  return numbered(() => piece, by, length);
}

/** As many pieces as fit into a length. */
function numbered(
  piece: (number: number) => string,
  by: string | ((number: number) => string),
  length = 10_000,
): string {
  let text = piece(0);
  for (let number = 1; ; number += 1) {
    const more = (typeof by === 'string' ? by : by(number)) + piece(number);
    if (length < text.length + more.length) return text;
    text += more;
  }
}

/** A conjunction of alternatives in an order in which a decision diagram of them is large. */
function pairs(count: number, one: (number: number) => string, other: (number: number) => string): string {
  return Array.from(
    { length: count },
    (_, number) => `(${one(number)} OR ${other((7 * number) % count)})`,
  ).join(' AND ');
}
