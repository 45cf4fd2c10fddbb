import { parseArgs } from 'node:util';
import { largeQueries } from '../fuzz/large-queries.ts';
import { publicCalls } from '../fuzz/public-calls.ts';

/**
 * Calls each public function of the language with each large text, and prints the slowest calls in
 * milliseconds of the processor:
 *
 *     npm run bench:hostile -- --function fixQuery --count 20
 */
const { values } = parseArgs({
  options: {
    function: { type: 'string' },
    text: { type: 'string' },
    count: { type: 'string', default: '40' },
  },
});

const calls = Object.entries(publicCalls).filter(([name]) => name.includes(values.function ?? ''));
const texts = largeQueries.filter(([shape]) => shape.includes(values.text ?? ''));
const measured = texts.flatMap(([shape, text]) =>
  calls.map(([name, call]) => {
    const start = process.cpuUsage();
    const end = outcomeOf(() => call(text));
    const { user, system } = process.cpuUsage(start);
    return { name, shape, end, time: (user + system) / 1000 };
  }),
);
for (const { name, shape, end, time } of measured
  .toSorted((a, b) => b.time - a.time)
  .slice(0, Number(values.count))) {
  console.log(`${time.toFixed(0).padStart(6)} ms  ${name.padEnd(28)} ${shape}${end}`);
}
console.log(`${measured.length} calls of ${calls.length} functions with ${texts.length} texts`);

function outcomeOf(run: () => unknown): string {
  try {
    run();
    return '';
  } catch (error) {
    return ` (${error instanceof Error ? error.name : error})`;
  }
}
