import { documentedSchema } from '../../src/language/index.ts';
import { keywordSchema } from '../../src/testing/filters.ts';

/** The fields that are asked, as text and as keywords. */
export const halfPairSchemas = { text: documentedSchema, keywords: keywordSchema } as const;

/** Logs with a half of a surrogate pair, with the sign that stands for what is none, and with neither. */
export const halfPairLogs = [
  { msg: 'half \ud83d of a pair', requestID: 'a\ud800b' },
  { msg: 'half \ufffd of a pair', requestID: 'a\ufffdb' },
  { msg: 'first\ude00last', requestID: '\udc00' },
  { msg: 'first\ufffdlast', requestID: '\ufffd' },
  { msg: 'whole \ud83d\ude00 pair', requestID: 'a\ud83d\ude00b' },
  { msg: 'none of a pair', requestID: 'ab' },
  { msg: 'first last', requestID: 'a?b' },
];

/** Queries with halves of pairs, as characters and as escapes. */
export const halfPairQueries = [
  ...['\ud83d', '\ufffd', 'half\ud83dof', '"half \ud83d of"', '"half \\ud83d of"'],
  ...[
    'first\ude00last',
    'msg:"first\\ude00last"',
    'msg:first\ude00*',
    'msg:/first\ude00last/',
    'half\ud800~1',
  ],
  ...['msg:f*\ud800', 'msg:hal\ud800', 'NOT msg:\ud83d', 'msg:\ud83d AND pair', '\\ud83d\\ude00 pair'],
  ...[
    'requestID:a\ud800b',
    'requestID:a\\ud800b',
    'requestID:"a\udfffb"',
    'requestID:\udc00',
    'requestID:\\udc00',
  ],
  ...[
    'requestID:a\ud800*',
    'requestID:\ud801*',
    'requestID:a\\ud800*',
    'requestID:*\ud800b',
    'requestID:a?b',
  ],
  ...[
    'requestID:?\ud800?',
    'requestID:/a\ud800b/',
    'requestID:/a.b/',
    'requestID:/a[\ud800]b/',
    'requestID:/\\\udc00/',
  ],
  ...['requestID:a\ud800~1', 'requestID:a\ud800b~1', 'requestID:a\ufffdb~0', 'requestID:a\\ud83d\\ude00b'],
  ...[
    'requestID:[a\ud800 TO a\ud800b]',
    'requestID:["a\udfff" TO *]',
    'requestID:{a\ud83d\ude00 TO a\ud83d\ude00b]',
  ],
];
