/**
 * Logs for search.mjs, of one of several corpora, over 90 days with a rhythm of days and nights, one log of 20 late by up to five
 * minutes. The same corpus and seed give the same logs.
 */

/** First time and length of the logs, milliseconds. */
export const begin = Date.UTC(2025, 0, 1);
export const duration = 90 * 86_400_000;

const onsets = ['b', 'd', 'f', 'g', 'k', 'l', 'm', 'n', 'p', 'r', 's', 't', 'v', 'st', 'tr', 'pl'];
const vowels = ['a', 'e', 'i', 'o', 'u'];

const words = [];

/** Returns the word of a rank, 0 the most frequent. No word is another one's beginning at a syllable. */
export function word(rank) {
  const known = words[rank];
  if (known !== undefined) return known;
  words[rank] = `${syllables(rank)}x`;
  return words[rank];
}

function syllables(rank) {
  let rest = rank;
  let text = '';
  do {
    text += onsets[rest % 16] + vowels[Math.floor(rest / 16) % 5];
    rest = Math.floor(rest / 80);
  } while (rest > 0);
  return text;
}

/** Words of the messages of programs, the most frequent first; some are not ASCII. */
const programWords =
  `the to request failed for service user in of connection layer timeout cache error with job from by started server session
   completed not token query database pool worker failover retry connections on is after node map export raster feature tile
   memory queue thread handler Größe überschritten Verbindung abgelehnt délai dépassé échec ошибка соединения служба 接続
   拒否 配置 refused closed opened expired renewed denied granted unknown invalid missing duplicate stale locked`.split(
    /\s+/,
  );
const endings = ['', 'n', 'ka', 'lka', 'ster', 'ing', 's', 'velka', 'tion'];

const mixedWords = [];

/** Returns the word of a rank of a vocabulary with many endings. */
function mixedWord(rank) {
  mixedWords[rank] ??= programWords[rank] ?? syllables(rank) + endings[(rank * 7) % endings.length];
  return mixedWords[rank];
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
const digits = (random, count) => String(Math.floor(random() * 10 ** count)).padStart(count, '0');
const letters = (random, count) => {
  let text = '';
  while (text.length < count) text += Math.floor(random() * 36 ** 8).toString(36);
  return text.slice(0, count);
};
const address = (random) => `10.${[1, 2, 3].map(() => Math.floor(random() * 40)).join('.')}`;

/** Identifiers that differ in letters too. */
const letterForms = [
  uuid,
  (random) => hex(random) + hex(random) + hex(random),
  (random) => `j${letters(random, 12)}`,
  (random) => `0x${hex(random)}`,
  (random) => `T_${letters(random, 6).toUpperCase()}_${letters(random, 4)}`,
  (random) => `${letters(random, 8)}@${letters(random, 5)}.example.org`,
  (random) => `fe80::${[1, 2, 3, 4].map(() => hex(random).slice(4)).join(':')}`,
];
/** Identifiers that differ in digits alone. */
const digitForms = [
  (random) => digits(random, 9),
  (random) => `job-${digits(random, 4)}-${digits(random, 6)}`,
  (random) => `${address(random)}:${digits(random, 5)}`,
  (random) => `${digits(random, 3)}.${digits(random, 5)} ms`,
  (random) => new Date(begin + Math.floor(random() * duration)).toISOString(),
  (random) => `[${digits(random, 5)},${digits(random, 4)}]`,
];

const pickOf = (random, items) => items[Math.floor(random() * items.length)];

/**
 * The corpora by their names, with their dials: `vocabulary` words with Zipf frequencies, templates of messages of which some
 * are frequent, `slots` of values and their share among the parts of a template, sources and users, and the shares of messages
 * that have an identifier with letters, or with digits alone. `near` are words for patterns, `rareRank` is the rank of a rare one.
 */
export const corpora = {
  /** Templates and values of one shape, and words of one kind: the corpus of the earlier figures. */
  varied: {
    word,
    vocabulary: 30_000,
    rareRank: 5000,
    templates: 420,
    frequentTemplates: 20,
    maxParts: 14,
    slotShare: 0.35,
    sources: 60,
    userOf: (random) => `${word(zipf(random, 400))}.${word(zipf(random, 80))}`,
    identifiers: { letters: 0, digits: 0 },
    near: { alternatives: [word(82), word(162)], typo: word(300).replace(/.(?=..x)/, ''), end: 'lenax' },
    slots: [
      (random) => String(Math.floor(random() * 100_000)),
      uuid,
      address,
      (random) => `/arcgis/${word(zipf(random, 2000))}/${word(zipf(random, 2000))}`,
      (random) => word(zipf(random, 30_000)),
      (random) => word(zipf(random, 30_000)),
    ],
  },
  /** Nine messages in ten are different, one in three also without its digits. Identifiers have many forms. */
  diverse: {
    word: mixedWord,
    vocabulary: 60_000,
    rareRank: 1500,
    templates: 3000,
    frequentTemplates: 200,
    maxParts: 20,
    slotShare: 0.1,
    sources: 400,
    userOf: (random) => mixedWord(100 + zipf(random, 1100)),
    identifiers: { letters: 0.3, digits: 0.58 },
    near: { alternatives: ['failed', 'failover'], typo: 'conection', end: 'velka' },
    slots: [
      (random) => `/arcgis/rest/services/${mixedWord(100 + zipf(random, 20))}`,
      (random) => `10.0.${Math.floor(random() * 4)}.${Math.floor(random() * 40)}`,
      (random) => mixedWord(zipf(random, 10)),
    ],
  },
};

/** A template: words and the kinds of values between them. */
function templateOf(random, corpus, isFrequent) {
  const { word, slots, vocabulary } = corpus;
  const parts = Array.from({ length: 6 + Math.floor(random() * (corpus.maxParts - 5)) }, () =>
    random() < corpus.slotShare
      ? pickOf(random, slots)
      : word(zipf(random, isFrequent ? vocabulary / 10 : vocabulary)),
  );
  const level = random();
  return {
    parts,
    level: levels.find(([, share]) => level < share)[0],
    code: 5000 + Math.floor(random() * 5000),
  };
}

const templatesFrom = (random, corpus) =>
  Array.from({ length: corpus.templates }, (_, index) =>
    templateOf(random, corpus, index < corpus.frequentTemplates),
  );

/** Returns four words that follow each other in a frequent template. */
export function frequentPhrase(corpus = corpora.varied, seed = 1) {
  for (const { parts } of templatesFrom(randomFrom(seed), corpus))
    for (let at = 0; at + 4 <= parts.length; at++) {
      const words = parts.slice(at, at + 4);
      if (words.every((part) => typeof part === 'string') && new Set(words).size === 4)
        return words.join(' ');
    }
  throw new Error('No template has four words in sequence');
}

/** Yields `count` logs of a corpus in the order in which they are written. */
export function* variedLogs(count, corpus = corpora.varied, seed = 1) {
  const { word, frequentTemplates } = corpus;
  const random = randomFrom(seed);
  const templates = templatesFrom(random, corpus);
  const sources = Array.from(
    { length: corpus.sources },
    (_, index) => `${word(index)}/${word(index + corpus.sources)}.MapServer`,
  );
  const step = duration / count;
  let request = uuid(random);
  for (let index = 0; index < count; index++) {
    if (random() < 0.25) request = uuid(random);
    const isRare = random() < 0.15;
    const rare = templates.length - frequentTemplates;
    const template =
      templates[isRare ? frequentTemplates + zipf(random, rare) : zipf(random, frequentTemplates)];
    const late = random() < 0.05 ? random() * 300_000 : 0;
    const className = `com.esri.${word(zipf(random, 300))}.${word(zipf(random, 900))}`;
    yield {
      time: Math.floor(begin + index * step + (step / 2) * Math.sin((8 * Math.PI * index) / count) - late),
      logLevel: template.level,
      logCode: template.code,
      source: sources[zipf(random, sources.length)],
      msg: messageOf(random, corpus, template),
      className,
      methodName: word(zipf(random, 500)),
      username: corpus.userOf(random),
      requestID: request,
      serviceTypes: 'MapServer',
      machine: `pod-${zipf(random, 24)}`,
      process: String(1 + zipf(random, 90)),
      thread: String(1 + zipf(random, 200)),
      elapsed: Math.round(random() ** 6 * 30_000) / 1000,
      ...(random() < 0.025 && { stackTraces: stackTrace(random, word, className) }),
    };
  }
}

function messageOf(random, { identifiers }, { parts }) {
  const message = parts.map((part) => (typeof part === 'string' ? part : part(random))).join(' ');
  if (identifiers.letters + identifiers.digits === 0) return message;
  const share = random();
  if (share < identifiers.letters) return `${message} ${pickOf(random, letterForms)(random)}`;
  if (share < identifiers.letters + identifiers.digits)
    return `${message} ${pickOf(random, digitForms)(random)}`;
  return message;
}

function stackTrace(random, word, className) {
  const frames = Array.from(
    { length: 12 },
    () =>
      `\tat com.esri.${word(zipf(random, 900))}.${word(zipf(random, 900))}(${word(zipf(random, 900))}.java:${Math.floor(random() * 900)})`,
  );
  return [`java.lang.IllegalStateException: ${className}`, ...frames].join('\n');
}
