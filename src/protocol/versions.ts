/** The version that introduced each part of the interface (section 9 of the interface document). */
export const introducedIn = {
  exportLogs: '11.0',
  editProperties: '10.9',
  manualScaling: '11.0',
  autoscalingV1: '10.9.1',
  autoscalingV2: '11.2',
  podPlacementPolicy: '11.2',
  webhookProcessor: '11.0',
  getUpgradeSettings: '11.0',
  checkRollback: '10.9',
  installed: '10.9',
  /** From the vendor's public documentation. */
  rollback: '10.9',
  upgrade: '10.9',
  /** From here on an upgrade requires its settings, and the parameters for license and patches are deprecated. */
  upgradeSettings: '11.0',
  /** Sources of the following: the field notes and the public documentation of the deployment's administration. */
  logSettings: '10.9',
  logRetention: '11.2',
  queryLogs: '10.9',
  searchLogs: '10.9.1',
  jobs: '10.9.1',
} as const;

/**
 * Compares two versions of a deployment by their numbers: below 0 if the first is older. Missing numbers count
 * as 0, so a version with a build is later than the version alone.
 */
export function compareVersions(a: string, b: string): number {
  const [first, second] = [numbersOf(a), numbersOf(b)];
  const length = Math.max(first.length, second.length);
  const differences = Array.from({ length }, (_, at) => (first[at] ?? 0) - (second[at] ?? 0));
  return differences.find((difference) => difference !== 0) ?? 0;
}

/** True if a version is `since` or a later one. */
export function isVersionSince(version: string, since: string): boolean {
  return compareVersions(version, since) >= 0;
}

/** The numbers of a version: `10.9.1` or, with its build, `10.9.1.505`. */
function numbersOf(version: string): number[] {
  return [...version.matchAll(/\d+/g)].map(([digits]) => Number(digits));
}
