import type { Log } from '../../records/index.ts';
import { adminPod, incidentAdministrator, sharingPod } from '../incident/cast.ts';
import { fromPod } from '../incident/origin.ts';
import type { Random } from '../incident/random.ts';
import { storyOffset } from '../incident/rhythm.ts';
import type { ScriptedLog } from '../incident/story.ts';
import type { StoryPlot } from './plot.ts';
import { quietLogs } from './quiet-logs.ts';

/** Users who sign in at the identity provider with the certificate: two programs and a user of the directory. */
const federated = ['svc-dashboard', 'svc-sync', '<7F3A21>::e.fischer@CITY'];

const [expired, renewed] = [storyOffset('2 06:00:00'), storyOffset('2 10:20:00')];

/** Days before the end of the certificate, with the time of the warning. */
const warned = [
  ['2', '1 06:00:00'],
  ['1', '2 05:00:00'],
] as const;

/** A certificate that expires: whoever signs in through it is refused from that second on, until it is renewed. */
export const certificatePlot: StoryPlot = {
  scripted: (random) => [
    ...quietLogs(random),
    ...warned.map((each) => warning(each, random)),
    renewal(random),
  ],
  alter: (logs, { offset, random }) => {
    const user = logs.find(({ username }) => federated.includes(username ?? ''))?.username;
    const isRefused = user !== undefined && expired <= offset && offset < renewed;
    return isRefused ? [refusal(logs[0]?.time ?? 0, user, random)] : logs;
  },
  truth: (begin) => ({
    began: begin + expired,
    ended: begin + renewed,
    codes: [{ logCode: 217009, since: begin + expired }],
    services: ['Sharing'],
    users: federated,
    before: warned.map(([, at]) => ({ time: begin + storyOffset(at), logCode: 1335 })),
  }),
};

function refusal(time: number, username: string, random: Random): Log {
  return {
    time,
    ...fromPod(sharingPod, random),
    source: 'Sharing',
    logLevel: 'SEVERE',
    logCode: 217009,
    msg: `Sign-in of user '${username}' failed: the certificate of identity provider 'city-login' has expired.`,
    className: 'com.vendor.gis.sharing.TokenResource',
    methodName: 'generateToken',
    username,
    requestID: random.uuid(),
    stackTraces: [
      'javax.net.ssl.SSLHandshakeException: PKIX path validation failed: validity check failed',
      '\tat com.vendor.gis.sharing.IdentityProvider.exchange(IdentityProvider.java:144)',
      'Caused by: java.security.cert.CertificateExpiredException: NotAfter: Wed Mar 12 06:00:00 UTC 2025',
    ].join('\n'),
  };
}

function warning([days, at]: (typeof warned)[number], random: Random): ScriptedLog {
  return {
    offset: storyOffset(at),
    log: {
      ...fromPod(adminPod, random),
      source: 'Enterprise Admin',
      logLevel: 'WARNING',
      logCode: 1335,
      msg: `Certificate 'city-login' expires in less than ${days} days.`,
      className: 'com.vendor.gis.admin.CertificateMonitor',
      methodName: 'check',
    },
  };
}

function renewal(random: Random): ScriptedLog {
  return {
    offset: renewed,
    log: {
      ...fromPod(adminPod, random),
      source: 'Enterprise Admin',
      logLevel: 'INFO',
      logCode: 1336,
      msg: "Certificate 'city-login' was replaced.",
      className: 'com.vendor.gis.admin.CertificateKeeper',
      methodName: 'replace',
      username: incidentAdministrator,
    },
  };
}
