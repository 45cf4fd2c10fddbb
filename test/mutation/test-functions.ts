import { chai, JestAsymmetricMatchers, JestChaiExpect, JestExtend } from '@vitest/expect';

/**
 * The functions of Vitest that tests for mutants use: they register the tests,
 * which the runner calls as often as there are mutants.
 */

type Body = (...given: readonly unknown[]) => unknown;

interface Suite {
  readonly name: string;
  readonly around: readonly Suite[];
  readonly beforeAll: Body[];
  readonly afterAll: Body[];
  readonly beforeEach: Body[];
  readonly afterEach: Body[];
}

/** A test with the suites that it is in, the outermost first. */
export interface RegisteredTest {
  readonly id: string;
  readonly file: string;
  readonly suites: readonly Suite[];
  readonly run: () => unknown;
}

/** The tests registered so far. */
export const tests: RegisteredTest[] = [];

const used = new Map<string, number>();
let [file, suite] = ['', newSuite('', [])];

/** Registers the tests of a file. */
export async function register(path: string, load: () => Promise<unknown>): Promise<void> {
  [file, suite] = [path, newSuite('', [])];
  await load();
}

function newSuite(name: string, around: readonly Suite[]): Suite {
  return { name, around, beforeAll: [], afterAll: [], beforeEach: [], afterEach: [] };
}

function add(name: string, first: unknown, second?: unknown): void {
  const suites = [...suite.around, suite];
  const path = [file, ...suites.slice(1).map((each) => each.name), name].join(' > ');
  const number = (used.get(path) ?? 0) + 1;
  used.set(path, number);
  const run = typeof first === 'function' ? first : second;
  if (typeof run !== 'function') throw new Error(`The test "${path}" has no function`);
  tests.push({ id: number === 1 ? path : `${path} (${number})`, file, suites, run: () => run() });
}

function group(name: string, body: () => unknown): void {
  const outer = suite;
  suite = newSuite(name, [...outer.around, outer]);
  body();
  suite = outer;
}

function eachOf(define: (name: string, body: () => unknown) => void) {
  return (rows: readonly unknown[]) => (name: string, body: Body) => {
    for (const row of rows) {
      const given: readonly unknown[] = Array.isArray(row) ? row : [row];
      define(nameOf(name, row, given), () => body(...given));
    }
  };
}

function nameOf(name: string, row: unknown, given: readonly unknown[]): string {
  const left = [...given];
  const values = new Map(Object.entries(row ?? {}));
  return name
    .replaceAll(/%[a-z]/g, () => String(left.shift()))
    .replaceAll(/\$(\w+)/g, (text, key: string) => String(values.get(key) ?? text));
}

export const test = Object.assign(add, { each: eachOf(add) });
export const describe = Object.assign(group, { each: eachOf(group) });
export const beforeAll = (body: Body) => suite.beforeAll.push(body);
export const afterAll = (body: Body) => suite.afterAll.push(body);
export const beforeEach = (body: Body) => suite.beforeEach.push(body);
export const afterEach = (body: Body) => suite.afterEach.push(body);

chai.use(JestExtend);
chai.use(JestChaiExpect);
chai.use(JestAsymmetricMatchers);
// `npm test` compares snapshots.
chai.use(({ Assertion }) => {
  for (const name of ['toMatchFileSnapshot', 'toMatchInlineSnapshot']) Assertion.addMethod(name, () => {});
});

export const expect = Object.assign(
  (value: unknown, message?: string) => chai.expect(value, message),
  chai.expect,
);
