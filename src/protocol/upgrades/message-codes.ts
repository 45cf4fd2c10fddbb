/** The meaning of a code in an upgrade's messages. */
export interface MessageCode {
  readonly meaning: string;
  /** The mode that begins with it. */
  readonly enters?: 'read-only' | 'read-write';
  /** True if its text contains `N out of M`. */
  readonly counts?: true;
}

/** The codes of the messages of an upgrade and their meanings (section 2.8 of the interface document). The list is open. */
export const upgradeMessageCodes: Readonly<Record<number, MessageCode>> = {
  2010: { meaning: 'the upgrade has started, from one version to another' },
  2011: { meaning: 'the upgrade is complete, with the time it took' },
  2012: { meaning: 'the deployment is upgraded' },
  2038: { meaning: 'a workload gets a new image' },
  2087: { meaning: 'the primary of the relational database is read-only' },
  2090: { meaning: 'the standby of the relational database is promoted' },
  2092: { meaning: 'the relational database has a new standby' },
  2093: { meaning: 'the primary of the relational database is read-write' },
  2094: { meaning: 'the relational database is being validated' },
  2101: { meaning: 'the release upgrade of a microservice has started' },
  2103: { meaning: 'the release upgrade of a microservice is complete' },
  2108: { meaning: 'the release upgrade of the relational database has started' },
  2109: { meaning: 'the release upgrade of the relational database is complete' },
  2132: { meaning: 'the release upgrade of a component is complete' },
  2134: { meaning: 'the release upgrade of a component has started' },
  2144: { meaning: 'the upgrade of the database version has started' },
  2145: { meaning: 'the upgrade of the database version is done' },
  2148: { meaning: 'the work after the upgrade of the database has started' },
  2149: { meaning: 'the work after the upgrade of the database is complete' },
  2151: { meaning: 'the roles of the databases change' },
  2153: { meaning: 'what came of the upgrade of the database version' },
  2165: { meaning: 'the deployment goes into read-only mode', enters: 'read-only' },
  2166: { meaning: 'the deployment comes out of read-only mode', enters: 'read-write' },
  2168: { meaning: 'the upgrader is being launched' },
  2173: { meaning: 'number of microservices that have the patch', counts: true },
  2175: { meaning: 'number of microservices that have the release', counts: true },
  2178: { meaning: 'the refresh of services that are deployed by themselves has started' },
  2179: { meaning: 'the work after the upgrade has started' },
  2180: { meaning: 'the work after the upgrade for logging has started' },
  2181: { meaning: 'the work after the upgrade for logging succeeded' },
  2185: { meaning: 'the refresh of services that are deployed by themselves is complete' },
  2187: { meaning: 'the content of the portal is being updated' },
  2188: { meaning: 'the content of the portal is updated' },
  2191: { meaning: 'the refresh of the search index of the portal has started' },
  2192: { meaning: 'the refresh of the search index of the portal is complete' },
  2270: { meaning: 'the plan of the upgrade is being made' },
  2271: { meaning: 'the plan of the upgrade is being carried out' },
  2281: { meaning: 'whether the search store can be upgraded directly is being checked' },
  2287: { meaning: 'the diagnostics before the upgrade have started' },
  2288: { meaning: 'the diagnostics before the upgrade are complete' },
  2291: { meaning: 'the patch of a module has started' },
};

/**
 * The codes of a rollback's messages beside those of an upgrade, from the vendor's public documentation. The
 * list is open.
 */
export const rollbackMessageCodes: Readonly<Record<number, MessageCode>> = {
  2072: { meaning: 'the rollback has started, from one version to another' },
};
