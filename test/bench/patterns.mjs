// Grouping accuracy of patterns on labelled sets of messages, such as the 16 of logpai/loghub, which are not a part
// of this project: node test/bench/patterns.mjs FOLDER
//
// FOLDER holds files NAME_structured.csv, in folders or not, with the columns Content and EventId. A message is right
// if its group has exactly the messages of its label (grouping accuracy, Zhu et al., 2019). F1 compares groups: one is
// right if it is exactly a label (FGA, Jiang et al., 2024). "stable" is the share of the templates of the first half of
// a set that are templates of the whole set too.
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { mergeMasks } from '../../dist/analysis/mask-groups.js';
import { maskMessage } from '../../dist/analysis/mask-message.js';

const [folder, only] = process.argv.slice(2);
if (folder === undefined) throw new Error('Usage: node test/bench/patterns.mjs FOLDER [SET]');

/** The rows of a CSV file as arrays of cells. */
function readCsv(text) {
  const rows = [[]];
  for (const [, quoted, plain, end] of text.matchAll(/(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r?\n|$)/g)) {
    rows.at(-1).push(quoted === undefined ? plain : quoted.replaceAll('""', '"'));
    if (end === '') break;
    if (end !== ',') rows.push([]);
  }
  return rows.filter((row) => 1 < row.length);
}

function templatesOf(messages) {
  const masks = [...new Set(messages.map(maskMessage))];
  const { templates, templateOf } = mergeMasks(masks);
  const numbers = new Map(masks.map((mask, index) => [mask, templateOf[index]]));
  return messages.map((message) => templates[numbers.get(maskMessage(message))]);
}

const count = (keys) => keys.reduce((counts, key) => counts.set(key, (counts.get(key) ?? 0) + 1), new Map());

const files = (await readdir(folder, { recursive: true })).filter((name) => name.endsWith('_structured.csv'));
const sums = { accuracy: 0, f1: 0, stable: 0 };
console.log(
  '| set | accuracy | F1 of groups | groups | labels | stable |\n| --- | --- | --- | --- | --- | --- |',
);
for (const file of files.sort()) {
  const name = file.replace(/^.*[\\/]/, '').replace(/_.*/, '');
  if (only !== undefined && only !== name) continue;
  const [head, ...rows] = readCsv(await readFile(join(folder, file), 'utf8'));
  const [content, event] = ['Content', 'EventId'].map((column) => head.indexOf(column));
  const messages = rows.map((row) => row[content]);
  const labels = rows.map((row) => row[event]);
  const groups = templatesOf(messages);
  const [found, expected, shared] = [groups, labels, groups.map((group, at) => `${labels[at]} ${group}`)].map(
    count,
  );
  const isRight = (at) =>
    shared.get(`${labels[at]} ${groups[at]}`) === found.get(groups[at]) &&
    found.get(groups[at]) === expected.get(labels[at]);
  const right = groups.map((_, at) => at).filter(isRight);
  const exact = new Set(right.map((at) => groups[at])).size;
  const f1 = (2 * exact) / (found.size + expected.size);
  const half = new Set(templatesOf(messages.slice(0, messages.length / 2)));
  const stable = [...half].filter((template) => found.has(template)).length / half.size;
  const accuracy = right.length / messages.length;
  for (const [key, value] of Object.entries({ accuracy, f1, stable })) sums[key] += value;
  console.log(
    `| ${name} | ${[accuracy, f1].map((each) => each.toFixed(3)).join(' | ')} | ${found.size} | ${expected.size} | ${stable.toFixed(2)} |`,
  );
  if (only === undefined) continue;
  // What is wrong: labels that are split or merged, with the templates that do it.
  const wrong = new Map();
  for (const [at, label] of labels.entries())
    if (!isRight(at)) wrong.set(label, (wrong.get(label) ?? new Map()).set(groups[at], messages[at]));
  for (const [label, of] of [...wrong].sort((a, b) => expected.get(b[0]) - expected.get(a[0])).slice(0, 20))
    console.log(
      label,
      expected.get(label),
      [...of.keys()].slice(0, 6).map((each) => `${found.get(each)} ${each}`),
    );
}
if (only === undefined) {
  const means = Object.values(sums).map((sum) => (sum / files.length).toFixed(3));
  console.log(`| mean | ${means[0]} | ${means[1]} | | | ${means[2]} |`);
}
