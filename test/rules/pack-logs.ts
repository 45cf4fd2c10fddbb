import type { Log } from '../../src/records/log.ts';

/** Logs that fire a rule, and logs that must not. */
export interface PackExample {
  readonly fires: readonly Log[];
  readonly spares: readonly Log[];
}

const minute = 60_000;
const hour = 60 * minute;
const start = Date.UTC(2026, 0, 10, 12);
const at = (after: number, log: Log): Log => ({ time: start + after, ...log });
const several = (count: number, pause: number, log: Log): Log[] =>
  Array.from({ length: count }, (_, index) => at(index * pause, log));

const crash = (service: string): Log => ({
  logCode: 7569,
  source: 'Enterprise Admin',
  msg: `Process of '${service}' crashed and was started again.`,
});
const low: Log = { logCode: 110034, msg: "Connection pool 'hosted' is low: 2 of 40 connections left." };
const empty: Log = {
  logCode: 110035,
  msg: "Connection pool 'hosted' has run dry: 0 of 40 connections left.",
};
const otherPool: Log = {
  logCode: 110035,
  msg: "Connection pool 'other' has run dry: 0 of 40 connections left.",
};
const refusedSignIn: Log = {
  logCode: 217002,
  source: 'Sharing',
  msg: 'Sign-in was refused: wrong user name or password.',
};
const signIn = (username: string, from = ''): Log => ({
  logCode: 217001,
  source: 'Sharing',
  username,
  msg: `User '${username}' signed in${from}.`,
});
const secret: Log = { logCode: 1312, msg: "Updated Kubernetes Secret 'store-credentials'." };
const certificate: Log = { logCode: 1312, msg: "Updated Kubernetes Secret 'tls-certificate'." };
const refused: Log = {
  logCode: 110031,
  msg: 'Connection to the store was refused: password authentication failed.',
};
const [readOnly, readWrite]: readonly Log[] = [
  { logCode: 2165, msg: 'The system is going into read-only mode.' },
  { logCode: 2166, msg: 'The system is coming out of read-only mode.' },
];

const audited = (methodName: string): Log => ({ source: 'Audit', methodName, username: 'mira' });

/** An example for each rule of the package by its name. */
export const packLogs: Readonly<Record<string, PackExample>> = {
  service_crashed: { fires: [crash('A.MapServer')], spares: [{ ...crash('A'), logCode: 7570 }] },
  service_crash_loop: {
    fires: several(3, 20 * minute, crash('A.MapServer')),
    spares: [
      ...several(2, minute, crash('A.MapServer')),
      at(2 * minute, crash('B.MapServer')),
      at(2 * hour, crash('A.MapServer')),
    ],
  },
  service_shut_down: {
    fires: [{ logCode: 8002, msg: 'shut down' }],
    spares: [{ logCode: 8000, msg: 'started' }],
  },
  services_restart_requested: {
    fires: [{ source: 'Enterprise Admin', msg: 'Restart of 5 services requested.' }],
    spares: [
      { source: 'Sharing', msg: 'Restart of 5 services requested.' },
      { source: 'Enterprise Admin', msg: 'A comment: Restart of 5 services requested.' },
    ],
  },
  pool_empty: { fires: [empty, { msg: 'The POOL has run dry' }], spares: [low, { msg: 'The pool is full' }] },
  pool_low: { fires: [low], spares: [empty] },
  pool_running_dry: {
    fires: [at(0, low), at(hour, empty)],
    spares: [at(0, empty), at(1, low), at(2, otherPool), at(3 * hour, empty)],
  },
  store_refuses_credentials: {
    fires: [refused, { msg: 'FATAL: password authentication failed for user x' }],
    spares: [{ msg: 'password changed' }],
  },
  sign_in_refused: {
    fires: [refusedSignIn, { ...refusedSignIn, logCode: 1 }],
    spares: [signIn('a'), { source: 'Other', msg: 'Sign-in was refused' }],
  },
  sign_in_burst: { fires: several(20, 10_000, refusedSignIn), spares: several(20, 20_000, refusedSignIn) },
  sign_in_after_burst: {
    fires: [...several(20, 10_000, refusedSignIn), at(10 * minute, signIn('a'))],
    spares: [at(-1, signIn('a')), ...several(20, 10_000, refusedSignIn), at(20 * minute, signIn('a'))],
  },
  signed_in: { fires: [signIn('a')], spares: [refusedSignIn] },
  administrator_new_address: {
    fires: [
      ...[at(0, signIn('a', ' from 10.0.0.1')), at(hour, signIn('a', ' from 10.9.9.9'))],
      at(2 * hour, { source: 'Enterprise Admin', username: 'a', msg: 'Log settings were edited.' }),
    ],
    spares: [
      // Somebody with two addresses, who administers nothing.
      ...[at(0, signIn('c', ' from 10.0.0.1')), at(hour, signIn('c', ' from 10.9.9.9'))],
      at(2 * hour, { source: 'Enterprise Admin', username: 'c', msg: 'Access was denied.' }),
      at(2 * hour, { source: 'Enterprise Admin', username: 'a', msg: 'Log settings were edited.' }),
      at(0, signIn('a', ' from 10.0.0.1')),
      at(1, signIn('a', ' from 10.0.0.1')),
      at(2, signIn('b', ' from 10.9.9.9')),
      at(3, signIn('a')),
    ],
  },
  log_level_changed: {
    fires: [
      { logCode: 1501, msg: 'Log level changed from INFO to DEBUG.' },
      { source: 'Enterprise Admin', logCode: 1315, msg: 'Log settings were edited: the level is DEBUG.' },
    ],
    spares: [{ source: 'Sharing', msg: 'Log settings were edited' }],
  },
  secret_updated: { fires: [secret], spares: [certificate, { msg: secret.msg ?? '' }] },
  certificate_updated: {
    fires: [certificate],
    spares: [secret, { msg: "Certificate 'a' expires in less than 2 days." }],
  },
  certificate_expired: {
    fires: [{ msg: "The certificate of identity provider 'a' has expired." }],
    spares: [certificate, { msg: "Certificate 'a' was replaced." }, { msg: 'The token has expired.' }],
  },
  refused_after_secret: {
    fires: [at(0, secret), at(hour, refused)],
    spares: [at(-hour, refused), at(0, secret), at(0, certificate), at(13 * hour, refused)],
  },
  template_edited: {
    fires: [{ msg: "Default properties of template 'x' were edited." }],
    spares: [{ msg: "Default properties of template 'x' were read." }],
  },
  upgrade_step: {
    fires: [{ logCode: 2010, msg: 'Upgrade process started' }],
    spares: [{ logCode: 2168, msg: 'Launching the upgrader.' }],
  },
  upgrade_window: {
    fires: [at(0, readOnly ?? {}), at(hour, readWrite ?? {})],
    spares: [at(0, readWrite ?? {}), at(1, readOnly ?? {}), at(25 * hour, readWrite ?? {})],
  },
  audit_role_changed: {
    fires: [audited('ROLE_UPDATE')],
    spares: [audited('USER_SIGNIN'), { ...audited('ROLE_UPDATE'), source: 'Rest' }],
  },
  audit_burst: {
    fires: several(50, 5_000, audited('ROLE_UPDATE')),
    spares: [
      ...several(49, 5_000, audited('ROLE_UPDATE')),
      at(1, { ...audited('ROLE_UPDATE'), username: 'other' }),
      at(6 * minute, audited('ROLE_UPDATE')),
      at(2, { ...audited('ROLE_UPDATE'), source: 'Rest' }),
    ],
  },
  silence: {
    fires: [at(0, { msg: 'a' }), at(3 * hour + 1, { msg: 'b' })],
    spares: [at(0, {}), at(3 * hour, {}), at(6 * hour, {})],
  },
};
