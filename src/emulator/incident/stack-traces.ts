import type { Random } from './random.ts';

/** The stack trace of a request that waited in vain for a connection of the pool. */
export function poolTimeout(service: string, operation: string, random: Random): string {
  return [
    `java.sql.SQLTransientConnectionException: hosted - Connection is not available, request timed out after ${random.integer(30000, 30009)}ms.`,
    '\tat com.vendor.gis.data.pool.ConnectionPool.borrow(ConnectionPool.java:212)',
    '\tat com.vendor.gis.data.HostedStore.open(HostedStore.java:88)',
    `\tat com.vendor.gis.feature.FeatureService.${operation}(FeatureService.java:${random.integer(310, 460)})`,
    '\tat com.vendor.gis.service.RequestWorker.run(RequestWorker.java:141)',
    '\tat java.base/java.util.concurrent.ThreadPoolExecutor.runWorker(ThreadPoolExecutor.java:1136)',
    '\tat java.base/java.util.concurrent.ThreadPoolExecutor$Worker.run(ThreadPoolExecutor.java:635)',
    '\tat java.base/java.lang.Thread.run(Thread.java:840)',
    ...causedByPassword,
    `Suppressed: com.vendor.gis.service.ServiceException: ${service} gave up`,
    `\tat com.vendor.gis.service.RequestWorker.fail(RequestWorker.java:${random.integer(160, 175)})`,
  ].join('\n');
}

/** The stack trace of an attempt to connect with a password that is no longer the right one. */
export function refusedConnection(): string {
  return [
    'com.vendor.gis.data.pool.PoolException: Cannot add a connection to the pool "hosted"',
    '\tat com.vendor.gis.data.pool.ConnectionPool.grow(ConnectionPool.java:174)',
    '\tat com.vendor.gis.data.pool.PoolKeeper.run(PoolKeeper.java:57)',
    '\tat java.base/java.lang.Thread.run(Thread.java:840)',
    ...causedByPassword,
  ].join('\n');
}

const causedByPassword = [
  'Caused by: org.postgresql.util.PSQLException: FATAL: password authentication failed for user "hosted_rw"',
  '\tat org.postgresql.core.v3.ConnectionFactoryImpl.doAuthentication(ConnectionFactoryImpl.java:693)',
  '\tat org.postgresql.jdbc.PgConnection.<init>(PgConnection.java:273)',
  '\t... 9 more',
];

/** The stack trace of a geoprocessing tool with bad data, which is unrelated to the incident. */
export function badGeometry(): string {
  return [
    'java.lang.IllegalArgumentException: Invalid geometry: a ring requires at least 3 points',
    '\tat com.vendor.gis.geometry.Polygon.addRing(Polygon.java:97)',
    '\tat com.vendor.gis.geoprocessing.tools.TraceDownstream.execute(TraceDownstream.java:265)',
    '\tat com.vendor.gis.geoprocessing.JobRunner.run(JobRunner.java:118)',
    '\tat java.base/java.lang.Thread.run(Thread.java:840)',
  ].join('\n');
}
