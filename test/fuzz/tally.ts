import { type Count, plus, type Report } from './work.ts';

/** Adds up what the worker reports. */
export class Tally {
  /** Number of ways to fail that were found. */
  found = 0;
  readonly #counts = new Map<string, Count>();
  #slowest: Report['slowest'] = { trial: { kind: '', text: '' }, time: 0 };

  add({ counts, slowest, failures }: Report): void {
    this.found += failures.length;
    if (this.#slowest.time < slowest.time) this.#slowest = slowest;
    for (const [kind, count] of counts) {
      const sum = this.#counts.get(kind);
      this.#counts.set(kind, sum ? plus(sum, count) : count);
    }
  }

  /** The numbers as text, after so many seconds. */
  summary(seconds: number): string {
    const all = [...this.#counts.values()].reduce(plus, {
      texts: 0,
      units: 0,
      accepted: 0,
      findings: 0,
      time: 0,
    });
    const { trial, time } = this.#slowest;
    return [
      ...[...this.#counts].map(([kind, count]) => line(kind, count)),
      line('all', all),
      `${Math.round(all.texts / seconds)} texts/s; the slowest took ${time.toFixed(0)} ms of the processor: ${trial.text.length} units, ${trial.kind}, ${JSON.stringify(trial.text.slice(0, 80))}`,
      this.found === 0 ? 'nothing found' : `${this.found} found`,
    ].join('\n');
  }
}

function line(kind: string, { texts, units, accepted, findings, time }: Count): string {
  const [share, length] = [(100 * accepted) / texts, units / texts];
  return `${kind.padEnd(16)}${String(texts).padStart(10)} texts, ${length.toFixed(0).padStart(5)} units each, ${share.toFixed(0).padStart(3)} % accepted, ${(findings / texts).toFixed(1)} findings and ${(time / texts).toFixed(1)} ms each`;
}
