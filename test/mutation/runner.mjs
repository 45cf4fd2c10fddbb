import { relative } from 'node:path';
import { declareFactoryPlugin, PluginKind } from '@stryker-mutator/api/plugin';
import {
  DryRunStatus,
  determineHitLimitReached,
  MutantRunStatus,
  TestStatus,
  toMutantRunResult,
} from '@stryker-mutator/api/test-runner';
import { bundleAddress, bundleTests } from './bundle.mjs';

/** Stryker's limit of the times a mutant is reached is 100 times what all tests reach together: that takes minutes. */
const limitShare = 1 / 10;

/** Every `sample`-th mutant is tried. The others count neither as killed nor as survived. */
const sample = Number(process.env.MUTATION_SAMPLE ?? 1);

/**
 * Runs the tests of many mutants in one process. Vitest starts a thread for each
 * mutant, which loads all modules again: that takes fifty times as long.
 */
class OneProcessRunner {
  /** The object in which instrumented sources read the active mutant and report the code that they reach. */
  #switches;
  #loads = 0;
  #tests = [];
  /** True if modules were loaded with a mutant active, or hold a value of one. */
  #isSpoilt = true;
  /** Last duration of each test: the fast ones go first. */
  #times = new Map();

  capabilities() {
    return { reloadEnvironment: true };
  }

  async init() {
    globalThis.__stryker__ ??= {};
    this.#switches = globalThis.__stryker__;
  }

  async dryRun({ testFiles }) {
    await bundleTests(testFiles);
    const results = [];
    for (const file of testFiles) {
      // Modules are loaded again for each file, so that more of the tests that depend on them are known.
      await this.#load();
      const own = this.#tests.filter((test) => test.file === relative('.', file));
      results.push(...(await this.#run(own, { bail: false })));
    }
    const { mutantCoverage } = this.#switches;
    return { status: DryRunStatus.Complete, tests: results, mutantCoverage };
  }

  async mutantRun(options) {
    if (Number(options.activeMutant.id) % sample !== 0)
      return { status: MutantRunStatus.Error, errorMessage: 'Not in the sample' };
    const { reloadEnvironment: isStatic } = options;
    const hitLimit = options.hitLimit && options.hitLimit * limitShare;
    const attempted = { ...options, hitLimit };
    let result = await this.#attempt(attempted, { fresh: isStatic });
    if (!isStatic && (await this.#isHidden(result))) result = await this.#attempt(attempted, { fresh: true });
    const timeout = determineHitLimitReached(result.hitCount, hitLimit);
    return toMutantRunResult(timeout ?? { status: DryRunStatus.Complete, tests: result.tests });
  }

  async #attempt({ testFilter, hitLimit, activeMutant, reloadEnvironment: isStatic }, { fresh }) {
    if ((fresh || this.#isSpoilt) && !isStatic) await this.#load();
    const switches = this.#switches;
    Object.assign(switches, { activeMutant: activeMutant.id, hitCount: 0, hitLimit });
    try {
      if (isStatic) await this.#load();
      this.#isSpoilt = fresh;
      // Of a mutant that is reached while modules load, Stryker names files instead of tests.
      const wanted = new Set(testFilter);
      const tests = this.#tests.filter(({ id }) => isStatic || wanted.has(id));
      return { tests: await this.#run(tests, { bail: true }), hitCount: switches.hitCount };
    } catch (error) {
      const loading = { id: 'loading', name: 'loading', file: 'loading' };
      return { tests: [resultOf(loading, performance.now(), error)], hitCount: switches.hitCount };
    } finally {
      Object.assign(switches, { activeMutant: undefined, hitCount: undefined, hitLimit: undefined });
    }
  }

  /** True if the mutant was not reached, because modules keep what they made once, or a test fails without it as well. */
  async #isHidden({ tests, hitCount }) {
    const failure = tests.find(({ status }) => status === TestStatus.Failed);
    if (!failure) return hitCount === 0;
    const same = this.#tests.filter(({ id }) => id === failure.id);
    const [without] = await this.#run(same, { bail: true });
    return without?.status !== TestStatus.Success;
  }

  async #load() {
    this.#isSpoilt = false;
    this.#loads += 1;
    const { tests, registered } = await import(`${bundleAddress()}?${this.#loads}`);
    await registered;
    this.#tests = tests;
  }

  async #run(tests, { bail }) {
    const time = ({ id }) => this.#times.get(id) ?? 0;
    const results = [];
    const entered = new Set();
    for (const test of tests.toSorted((a, b) => time(a) - time(b))) {
      const result = await this.#runOne(test, entered);
      this.#times.set(test.id, result.timeSpentMs);
      results.push(result);
      if (bail && result.status === TestStatus.Failed) break;
    }
    for (const suite of entered) for (const after of suite.afterAll) await after();
    return results;
  }

  async #runOne(test, entered) {
    const start = performance.now();
    this.#switches.currentTestId = test.id;
    try {
      for (const suite of test.suites) {
        if (!entered.has(suite)) for (const before of suite.beforeAll) await before();
        entered.add(suite);
      }
      for (const suite of test.suites) for (const before of suite.beforeEach) await before();
      await test.run();
      for (const suite of test.suites.toReversed()) for (const after of suite.afterEach) await after();
      return resultOf(test, start);
    } catch (error) {
      return resultOf(test, start, error);
    } finally {
      this.#switches.currentTestId = undefined;
    }
  }
}

function resultOf({ id, file }, start, ...errors) {
  const result = { id, name: id, fileName: file, timeSpentMs: performance.now() - start };
  if (errors.length === 0) return { ...result, status: TestStatus.Success };
  return { ...result, status: TestStatus.Failed, failureMessage: String(errors[0]).slice(0, 300) };
}

const create = () => new OneProcessRunner();
create.inject = [];
export const strykerPlugins = [declareFactoryPlugin(PluginKind.TestRunner, 'one-process', create)];
