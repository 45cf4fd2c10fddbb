/**
 * Quiet logs by other numbers, rates, lengths and rules than those of `generators.js`. The figures of
 * docs/reliability.md come from these, with seeds that were not looked at while the detector was written.
 */

/** Repeatable numbers from 0 to 1: xorshift of 32 bits, its start mixed from the seed. */
function drawNumbers(seed) {
  let state = Math.imul(seed ^ 0x9e3779b9, 0x85ebca6b) ^ 0xc2b2ae35 || 1;
  return () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return ((state >>> 0) + 0.5) / 4294967296;
  };
}

const wait = (next, mean) => -mean * Math.log(next());

/** Times of a process with a constant rate between two times. */
function steady(next, from, to, rate) {
  const times = [];
  for (let time = from + wait(next, 1 / rate); time < to; time += wait(next, 1 / rate)) times.push(time);
  return times;
}

/** Activity by hour of a day: two peaks, a long evening, a short night. */
const hours = [
  ...[0.3, 0.2, 0.15, 0.1, 0.1, 0.15, 0.3, 0.6, 0.9, 1, 0.95, 0.85],
  ...[0.7, 0.8, 0.95, 1, 0.9, 0.8, 0.6, 0.5, 0.5, 0.45, 0.4, 0.35],
];

/** Each draws the times of one series, in minutes; `rate` is per minute, `shared` is the same for all series. */
const kinds = {
  poisson: (next, { minutes, rate }) => steady(next, 0, minutes, rate),
  // A half comes alone, the other in bursts with a long tail, all within seconds: retries and stack traces.
  clustered: (next, { minutes, rate }) => [
    ...steady(next, 0, minutes, rate / 2),
    ...steady(next, 0, minutes, rate / 12).flatMap((time) =>
      Array.from({ length: Math.ceil(wait(next, 6)) }, () => time + next() / 5),
    ),
  ],
  // Times of more and of less alternate at random, of each series or of all at once.
  autocorrelated: (next, { minutes, rate, index, shared }) => {
    const states = index % 2 === 0 ? shared : switches(next, minutes);
    return states.flatMap(({ from, to, isBusy }) => steady(next, from, to, rate * (isBusy ? 1.6 : 0.6)));
  },
  weekly: (next, { minutes, rate, index, firstDay }) => {
    if (index % 7 === 2) return steady(next, 0, minutes, rate);
    // A job of some nights: of each, of working days, of Sundays.
    if (index % 7 === 5)
      return Array.from({ length: minutes / 1440 }, (_, day) => day)
        .filter((day) => [true, (day + firstDay) % 7 < 5, (day + firstDay) % 7 === 6][index % 3])
        .flatMap((day) => Array.from({ length: 25 }, () => day * 1440 + 85 + 40 * next()));
    return steady(next, 0, minutes, rate).filter((time) => {
      const isWeekend = 5 <= (Math.floor(time / 1440) + firstDay) % 7;
      return next() < (hours[Math.floor(time / 60) % 24] ?? 0) * (isWeekend ? 0.35 : 1);
    });
  },
};

// Each third series in bursts, the others not.
kinds.mixed = (next, of) => kinds[of.index % 3 === 0 ? 'clustered' : 'poisson'](next, of);

export const heldOutKinds = Object.keys(kinds);

function switches(next, minutes) {
  const found = [];
  for (let from = 0, isBusy = next() < 0.5; from < minutes; isBusy = !isBusy) {
    const to = Math.min(minutes, from + wait(next, 35));
    found.push({ from, to, isBusy });
    from = to;
  }
  return found;
}

/** Draws the times of 12 to 60 series over 8 hours to 5 days, or over four weeks that begin on any day. */
export function drawHeldOut(kind, seed) {
  const next = drawNumbers(seed);
  for (let warming = 0; warming < 20; warming++) next();
  const minutes = kind === 'weekly' ? 28 * 1440 : Math.round(480 * 15 ** next());
  const firstDay = Math.floor(next() * 7);
  const shared = switches(next, minutes);
  const count = 12 + Math.floor(next() * 49);
  const series = Array.from({ length: count }, (_, index) => {
    // Three to three thousand logs in the time.
    const rate = (3 * 1000 ** next()) / minutes;
    return kinds[kind](next, { minutes, rate, index, shared, firstDay })
      .filter((time) => time < minutes)
      .sort((a, b) => a - b);
  });
  return { minutes, series, next };
}
