import * as fastCheck from 'fast-check';

export * from 'fast-check';

/** The greatest numbers of runs of a property for one mutant. Asynchronous ones use a database or a deployment. */
const [mostRuns, mostAsyncRuns] = [40, 5];

/**
 * Checks a property with few inputs, the same ones each time: with random ones
 * two runs would kill different mutants.
 */
function few(
  property: fastCheck.IRawProperty<unknown>,
  parameters?: fastCheck.Parameters<unknown>,
): void | Promise<void> {
  const most = property.isAsync() ? mostAsyncRuns : mostRuns;
  const numRuns = Math.min(parameters?.numRuns ?? most, most);
  return fastCheck.assert(property, { ...parameters, numRuns, seed: 1, endOnFailure: true });
}

export { few as assert };

// biome-ignore lint/style/noDefaultExport: fast-check has one.
export default { ...fastCheck, assert: few };
