import type { Log } from '../../records/index.ts';
import { adminPod, incidentAdministrator, type Pod, publishedServices, sharingPod } from './cast.ts';

/** The services that use the pool, and the one whose process crashes. */
export const pooledServices = publishedServices.filter((service) => service.pooled);
export const crashedService = publishedServices[0];

/** A single log of the story, with the day and the hour at which it was written. */
export type SingleLog = Log & { readonly at: string; readonly pod: Pod };

const admin = { source: 'Enterprise Admin', pod: adminPod } as const;
const sharing = { source: 'Sharing', pod: sharingPod } as const;
const secrets = {
  ...admin,
  logLevel: 'INFO',
  logCode: 1312,
  className: 'com.vendor.gis.admin.SecretKeeper',
  methodName: 'update',
} as const;
const backup = {
  ...admin,
  className: 'com.vendor.gis.admin.BackupTask',
  methodName: 'run',
  username: 'svc-backup',
} as const;
const settings = {
  ...admin,
  className: 'com.vendor.gis.admin.LogSettings',
  methodName: 'edit',
  username: incidentAdministrator,
} as const;
const signIn = {
  ...sharing,
  logLevel: 'INFO',
  logCode: 217001,
  className: 'com.vendor.gis.sharing.TokenResource',
  methodName: 'generateToken',
} as const;
const comment = {
  ...sharing,
  logLevel: 'INFO',
  logCode: 217041,
  className: 'com.vendor.gis.sharing.CommentResource',
  methodName: 'addComment',
} as const;

/** The individual logs of the story, in order of time. */
export const singleLogs: readonly SingleLog[] = [
  {
    at: '1 01:00:00',
    ...backup,
    logLevel: 'INFO',
    logCode: 1450,
    msg: 'Backup of the relational store started.',
  },
  {
    at: '1 01:24:51',
    ...backup,
    logLevel: 'INFO',
    logCode: 1451,
    msg: 'Backup of the relational store completed.',
    elapsed: 1491.204,
  },
  { at: '1 09:12:04', ...secrets, username: 'p.novak', msg: "Updated Kubernetes Secret 'smtp-credentials'." },
  {
    at: '1 14:31:47',
    ...admin,
    logLevel: 'SEVERE',
    logCode: 7569,
    msg: "Process of 'Analysis/Drainage.GPServer' crashed and was started again.",
    className: 'com.vendor.gis.admin.PodWatcher',
    methodName: 'onExit',
  },
  {
    at: '1 16:05:30',
    ...secrets,
    username: incidentAdministrator,
    msg: "Updated Kubernetes Secret 'tls-certificate'.",
  },
  {
    at: '2 01:00:00',
    ...backup,
    logLevel: 'INFO',
    logCode: 1450,
    msg: 'Backup of the relational store started.',
  },
  {
    at: '2 01:25:36',
    ...backup,
    logLevel: 'INFO',
    logCode: 1451,
    msg: 'Backup of the relational store completed.',
    elapsed: 1536.881,
  },
  {
    at: '2 02:15:00',
    ...secrets,
    username: 'svc-rotation',
    msg: "Updated Kubernetes Secret 'relational-store-credentials'.",
  },
  {
    at: '2 02:15:01',
    ...admin,
    logLevel: 'INFO',
    logCode: 1320,
    msg: 'Rotation of secrets completed: 1 secret updated, 0 microservices restarted.',
    className: 'com.vendor.gis.admin.SecretRotation',
    methodName: 'run',
    username: 'svc-rotation',
  },
  {
    at: '2 08:31:12',
    ...comment,
    username: 'maria.lopez',
    msg: `Comment of user 'maria.lopez': "The water network needs ages to open today."`,
  },
  {
    at: '2 08:52:40',
    ...comment,
    username: 'Anonymous user',
    msg: `Comment of an anonymous visitor: "The roadworks map only shows an error."`,
  },
  {
    at: '2 09:07:19',
    ...comment,
    username: 'field-crew-3',
    msg: `Comment of user 'field-crew-3': "We stand at the hydrant and cannot see it on the map."`,
  },
  {
    at: '2 09:22:08',
    ...admin,
    logLevel: 'SEVERE',
    logCode: 7569,
    msg: `Process of '${crashedService.name}' crashed and was started again.`,
    className: 'com.vendor.gis.admin.PodWatcher',
    methodName: 'onExit',
  },
  {
    at: '2 09:38:25',
    ...signIn,
    username: incidentAdministrator,
    msg: `User '${incidentAdministrator}' signed in.`,
  },
  {
    at: '2 09:41:03',
    ...settings,
    logLevel: 'INFO',
    logCode: 1501,
    msg: 'Log level changed from VERBOSE to DEBUG.',
  },
  {
    at: '2 09:52:31',
    ...admin,
    logLevel: 'INFO',
    logCode: 1510,
    msg: "Job 'exportLogs' completed: 10000 logs.",
    className: 'com.vendor.gis.admin.LogExporter',
    methodName: 'run',
    username: incidentAdministrator,
    elapsed: 4.812,
  },
  {
    at: '2 10:03:58',
    ...admin,
    logLevel: 'INFO',
    logCode: 1610,
    msg: `Restart of ${pooledServices.length} services requested.`,
    className: 'com.vendor.gis.admin.ServiceOperations',
    methodName: 'restart',
    username: incidentAdministrator,
  },
  {
    at: '2 10:30:10',
    ...settings,
    logLevel: 'INFO',
    logCode: 1501,
    msg: 'Log level changed from DEBUG to VERBOSE.',
  },
  {
    at: '2 11:02:47',
    ...comment,
    username: 'maria.lopez',
    msg: `Comment of user 'maria.lopez': "Works again, thank you!"`,
  },
];
