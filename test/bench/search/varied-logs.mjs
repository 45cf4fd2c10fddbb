/**
 * Varied logs for search.mjs: a vocabulary of 30,000 words with Zipf frequencies, 20 frequent templates of messages beside 400
 * rare ones, UUIDs, addresses and paths within messages, stack traces in one of 40 logs, 90 days with a rhythm of days and nights,
 * one log of 20 late by up to five minutes. The same seed gives the same logs.
 */

/** First time and length of the logs, milliseconds. */
export const begin = Date.UTC(2025, 0, 1);
export const duration = 90 * 86_400_000;

const vocabulary = 30_000;
const onsets = ['b', 'd', 'f', 'g', 'k', 'l', 'm', 'n', 'p', 'r', 's', 't', 'v', 'st', 'tr', 'pl'];
const vowels = ['a', 'e', 'i', 'o', 'u'];

const words = [];

/** Returns the word of a rank, 0 the most frequent. No word is another one's beginning at a syllable. */
export function word(rank) {
  const known = words[rank];
  if (known !== undefined) return known;
  let rest = rank;
  let text = '';
  do {
    text += onsets[rest % 16] + vowels[Math.floor(rest / 16) % 5];
    rest = Math.floor(rest / 80);
  } while (rest > 0);
  words[rank] = `${text}x`;
  return words[rank];
}

/** A generator of random numbers in [0, 1): xorshift of 32 bits. */
function randomFrom(seed) {
  let state = (seed * 2_654_435_761) >>> 0 || 1;
  return () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) / 2 ** 32;
  };
}

/** Returns a rank below `count` with a probability proportional to its inverse. */
const zipf = (random, count) => Math.floor(count ** random()) - 1;

const hex = (random) => ((random() * 2 ** 32) >>> 0).toString(16).padStart(8, '0');
const uuid = (random) => {
  const digits = hex(random) + hex(random) + hex(random) + hex(random);
  return `${digits.slice(0, 8)}-${digits.slice(8, 12)}-${digits.slice(12, 16)}-${digits.slice(16, 20)}-${digits.slice(20)}`;
};
const levels = [
  ['SEVERE', 0.02],
  ['WARNING', 0.1],
  ['INFO', 0.7],
  ['FINE', 1],
];
const slots = [
  (random) => String(Math.floor(random() * 100_000)),
  uuid,
  (random) => `10.${[1, 2, 3].map(() => Math.floor(random() * 40)).join('.')}`,
  (random) => `/arcgis/${word(zipf(random, 2000))}/${word(zipf(random, 2000))}`,
  (random) => word(zipf(random, vocabulary)),
  (random) => word(zipf(random, vocabulary)),
];

/** A template: words and the kinds of values between them. */
function templateOf(random, isFrequent) {
  const parts = Array.from({ length: 6 + Math.floor(random() * 9) }, () =>
    random() < 0.35
      ? slots[Math.floor(random() * slots.length)]
      : word(zipf(random, isFrequent ? 3000 : vocabulary)),
  );
  const level = random();
  return {
    parts,
    level: levels.find(([, share]) => level < share)[0],
    code: 5000 + Math.floor(random() * 5000),
  };
}

const templatesFrom = (random) => Array.from({ length: 420 }, (_, index) => templateOf(random, index < 20));

/** Returns four words that follow each other in a frequent template. */
export function frequentPhrase(seed = 1) {
  for (const { parts } of templatesFrom(randomFrom(seed)))
    for (let at = 0; at + 4 <= parts.length; at++) {
      const words = parts.slice(at, at + 4);
      if (words.every((part) => typeof part === 'string') && new Set(words).size === 4)
        return words.join(' ');
    }
  throw new Error('No template has four words in sequence');
}

/** Yields `count` logs in the order in which they are written. */
export function* variedLogs(count, seed = 1) {
  const random = randomFrom(seed);
  const templates = templatesFrom(random);
  const sources = Array.from({ length: 60 }, (_, index) => `${word(index)}/${word(index + 60)}.MapServer`);
  const step = duration / count;
  let request = uuid(random);
  for (let index = 0; index < count; index++) {
    if (random() < 0.25) request = uuid(random);
    const isRare = random() < 0.15;
    const template = templates[isRare ? 20 + zipf(random, 400) : zipf(random, 20)];
    const late = random() < 0.05 ? random() * 300_000 : 0;
    const className = `com.esri.${word(zipf(random, 300))}.${word(zipf(random, 900))}`;
    yield {
      time: Math.floor(begin + index * step + (step / 2) * Math.sin((8 * Math.PI * index) / count) - late),
      logLevel: template.level,
      logCode: template.code,
      source: sources[zipf(random, sources.length)],
      msg: template.parts.map((part) => (typeof part === 'string' ? part : part(random))).join(' '),
      className,
      methodName: word(zipf(random, 500)),
      username: `${word(zipf(random, 400))}.${word(zipf(random, 80))}`,
      requestID: request,
      serviceTypes: 'MapServer',
      machine: `pod-${zipf(random, 24)}`,
      process: String(1 + zipf(random, 90)),
      thread: String(1 + zipf(random, 200)),
      elapsed: Math.round(random() ** 6 * 30_000) / 1000,
      ...(random() < 0.025 && { stackTraces: stackTrace(random, className) }),
    };
  }
}

function stackTrace(random, className) {
  const frames = Array.from(
    { length: 12 },
    () =>
      `\tat com.esri.${word(zipf(random, 900))}.${word(zipf(random, 900))}(${word(zipf(random, 900))}.java:${Math.floor(random() * 900)})`,
  );
  return [`java.lang.IllegalStateException: ${className}`, ...frames].join('\n');
}
