/** Reads one large text, once and without warming up: the milliseconds and the megabytes that it takes, as JSON. */
import { largeTexts, monotonousTexts } from './queries.mjs';

const [program, name] = process.argv.slice(2);
const text = largeTexts[name] ?? monotonousTexts[name];
const works = {
  parse: async () => (await import('../../../dist/language.js')).parse,
  'parse and validate': async () => {
    const { parse } = await import('../../../dist/language.js');
    const { validate } = await import('../../../dist/meaning.js');
    return (query) => validate(parse(query).query);
  },
  lucene: async () => (await import('lucene')).default.parse,
  'lucene-kit': async () => {
    const { QueryParser } = await import('lucene-kit');
    return (query) => new QueryParser(query).toAST();
  },
  liqe: async () => (await import('liqe')).parse,
};

const work = await works[program]();
const before = process.memoryUsage().rss;
const start = performance.now();
const result = work(text);
const time = performance.now() - start;
const megabytes = (process.memoryUsage().rss - before) / 2 ** 20;
console.log(JSON.stringify({ time, megabytes, kept: result !== undefined }));
