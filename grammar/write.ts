import { writeFileSync } from 'node:fs';
import { page } from './diagram.ts';
import { ebnf } from './ebnf.ts';
import { productions } from './productions.ts';

const rules = productions();
writeFileSync('grammar/searchquery.ebnf', ebnf(rules));
writeFileSync('grammar/searchquery.html', page(rules));
