import { bench, describe } from 'vitest';
import { analyze, analyzeSpans } from '../../src/language/meaning/analyze.ts';

/** Characters that each bench reads in one go, so that operations a second are megabytes a second. */
const megabyte = 1_000_000;

describe('a megabyte of logs', () => {
  const texts = logTexts();
  const segmenter = new Intl.Segmenter('en', { granularity: 'word' });

  bench('analyze', () => {
    for (const text of texts) analyze(text);
  });
  bench('analyzeSpans', () => {
    for (const text of texts) analyzeSpans(text);
  });
  bench('Intl.Segmenter, which cuts differently', () => {
    for (const text of texts) {
      Array.from(segmenter.segment(text))
        .filter(({ isWordLike }) => isWordLike)
        .map(({ segment }) => segment.toLowerCase());
    }
  });
});

/** The time must not depend on what the text is made of: each of these should take about as long. */
describe('a megabyte in one text of', () => {
  const pieces = {
    words: 'at com.vendor.Foo(Foo.java:42) ',
    letters: 'a',
    joiners: '_',
    'joiners with marks': '_\u0301',
    'combining marks': '\u0301',
    'zero width joiners': '\u200d',
    'unfinished keys': '#\u0301',
    'unfinished words': "a.'",
    'Han characters': '中',
    emoji: '😀',
    'unfinished tags': '😀\ufe0f\u{e0061}',
  };
  for (const [name, piece] of Object.entries(pieces)) {
    const text = piece.repeat(megabyte / piece.length);
    bench(name, () => void analyze(text));
  }
});

/** Messages and stack traces of a made-up deployment, the same ones each time, a megabyte together. */
function logTexts(): readonly string[] {
  const texts: string[] = [];
  for (let i = 0, size = 0; size < megabyte; i++) {
    const text = logText(i);
    texts.push(text);
    size += text.length;
  }
  return texts;
}

function logText(i: number): string {
  const id = ((i * 2_654_435_761) >>> 0).toString(16).padStart(8, '0');
  switch (i % 5) {
    case 0:
      return `Request ${id}-e29b-41d4-a716-4466554${i % 90000} to /rest/services/Roads_${i % 40}/MapServer/export failed after ${i % 9000}ms`;
    case 1:
      return `Connection to 10.1.${i % 250}.${i % 199}:5432 timed out; pool "main" has ${i % 50} of 50 in use.`;
    case 2:
      return `User portaladmin@example.com signed in from 192.168.${i % 250}.7 (Zürich)`;
    case 3:
      return `Tile cache miss z=${i % 19}/x=${i % 3000}/y=${i % 2999} 0x${id}`;
    default:
      return `java.lang.IllegalStateException: OBJECTID=${i}\n\tat com.vendor.server.core.ServiceRunner.applyEdits(ServiceRunner.java:${i % 900})\n\tat java.base/java.lang.Thread.run(Thread.java:829)`;
  }
}
