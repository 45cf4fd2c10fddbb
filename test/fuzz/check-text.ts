import assert from 'node:assert/strict';
import { complete } from '../../src/language/assist/complete.ts';
import { explain } from '../../src/language/assist/explain.ts';
import { validate } from '../../src/language/lint/validate.ts';
import { compare } from '../../src/language/logic/compare.ts';
import { plan } from '../../src/language/logic/plan.ts';
import { simplify } from '../../src/language/logic/simplify.ts';
import { type Filter, matchNoneFilter } from '../../src/language/meaning/filter.ts';
import { match, matchDocument, QueryTooComplex, toDocument } from '../../src/language/meaning/match.ts';
import { type ResolveOptions, resolve } from '../../src/language/meaning/resolve.ts';
import { applyFix, type Finding } from '../../src/language/parse/finding.ts';
import { format } from '../../src/language/parse/format.ts';
import { parse } from '../../src/language/parse/parse.ts';
import { print, type Query } from '../../src/language/parse/tree.ts';
import { toDuckdb } from '../../src/language/translate/duckdb.ts';
import { toElasticsearch } from '../../src/language/translate/elasticsearch.ts';
import { toText } from '../../src/language/translate/text.ts';

const documents = [
  {},
  { msg: 'Connection refused', logLevel: 'SEVERE', logCode: 9003, time: 1_700_000_000_000, elapsed: 1.5 },
  { msg: 'a b c 😀 中国 foo-bar 10.1.2.3', source: 'Sharing', stackTraces: 'at com.foo.Bar(Bar.java:42)' },
].map(toDocument);

const readings: readonly ResolveOptions[] = [
  {},
  { defaultOperator: 'and' },
  { reading: 'ordinary' },
  { reading: 'ordinary', defaultOperator: 'and' },
];

/** Observations of a text. */
export interface Seen {
  readonly accepted: boolean;
  readonly findings: number;
}

/**
 * Does with a text all that can be done with a query, and throws where
 * something is not as promised: an exception, a tree that does not print back,
 * a finding outside the text, a format that changes twice or changes what
 * matches, a completion of something else than what is at the cursor, a
 * translation or a simpler form that selects other logs. Work that would take
 * too long has to end as "undecided" or "too complex".
 */
export function checkText(text: string): Seen {
  const { query, findings } = parse(text);
  assert.equal(print(query), text, 'the tree does not print back');
  const all = [...findings, ...validate(query), ...validate(query, { dialect: 'lucene' })];
  for (const finding of all) checkFinding(finding, text);
  // A text of one mistake over and over has hundreds of the same fixes.
  for (const { fixes } of all.slice(0, 20)) for (const fix of fixes) checkFixed(applyFix(text, fix));
  checkMeaning(query);
  checkFormat(text, query, 0 < findings.length);
  for (const cursor of [0, text.length >> 1, text.length]) checkCompletion(text, cursor);
  return { accepted: findings.length === 0, findings: all.length };
}

function checkFinding(finding: Finding, text: string): void {
  const { code, from, to, message, fixes } = finding;
  assert.ok(0 <= from && from <= to && to <= text.length, `a finding lies outside the text: ${code}`);
  assert.notEqual(message, '', `a finding says nothing: ${code}`);
  for (const fix of fixes) {
    let position = 0;
    for (const edit of fix.edits) {
      const inOrder = position <= edit.from && edit.from <= edit.to && edit.to <= text.length;
      assert.ok(inOrder, `an edit is out of order: ${code}`);
      position = edit.to;
    }
    assert.notEqual(applyFix(text, fix), text, `a fix changes nothing: ${code}`);
  }
}

function checkFixed(text: string): void {
  assert.equal(print(parse(text).query), text, 'a fixed text does not print back');
}

function checkCompletion(text: string, cursor: number): void {
  const { from, to, suggestions } = complete(text, cursor, { limit: 5 });
  const isAround = 0 <= from && from <= cursor && cursor <= to && to <= text.length;
  assert.ok(isAround, 'a completion is not around its cursor');
  for (const { insert } of suggestions) {
    assert.notEqual(insert, text.slice(from, to), 'a completion changes nothing');
  }
}

function checkMeaning(query: Query): void {
  // One of them is enough to match with: the patterns, which may take long, are the same in all.
  const [filter = matchNoneFilter] = readings.map((options) => resolve(query, options));
  const isRunnable = unlessTooComplex(() => match(filter, {})) !== undefined;
  if (isRunnable) for (const document of documents) matchDocument(filter, document);
  checkForms(query, filter);
}

/** Holds what a query is compared with, explained, simplified and translated to against each other. */
function checkForms(query: Query, filter: Filter): void {
  const [, , ordinary = matchNoneFilter] = readings.map((options) => resolve(query, options));
  const { ordinary: difference } = explain(query);
  const compared = compare(filter, ordinary);
  assert.equal(compared.same, difference.same, 'explain and compare do not agree');
  if (compared.same === false) {
    const { values, selectedBy } = compared.example;
    assert.equal(match(filter, values), selectedBy === 'a', 'an example is not selected as told');
    assert.equal(match(ordinary, values), selectedBy === 'b', 'an example is not selected as told');
  }
  assert.notEqual(compare(filter, simplify(filter)).same, false, 'simplifying changes the meaning');
  unlessTooComplex(() => plan(filter));
  toElasticsearch(filter);
  const { text, losses } = toText(filter);
  if (losses.length === 0) {
    const again = resolve(parse(text).query);
    assert.notEqual(compare(filter, again).same, false, 'the text of a filter has another meaning');
  }
  unlessTooComplex(() => toDuckdb(filter));
}

/** Result of work, or undefined where it is refused for its cost. */
function unlessTooComplex<T>(work: () => T): T | undefined {
  try {
    return work();
  } catch (error) {
    assert.ok(error instanceof QueryTooComplex, String(error));
    return undefined;
  }
}

function checkFormat(text: string, query: Query, broken: boolean): void {
  const formatted = format(query);
  if (broken) {
    assert.equal(formatted, text, 'broken text is formatted');
    return;
  }
  const again = parse(formatted);
  assert.deepEqual(again.findings, [], 'formatted text is refused');
  assert.equal(format(again.query), formatted, 'formatting twice changes something');
  for (const options of readings) {
    assert.deepEqual(
      resolve(again.query, options),
      resolve(query, options),
      'formatting changes the meaning',
    );
  }
}
