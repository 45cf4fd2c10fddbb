import * as v from 'valibot';
import { lenientNumber, type MessageFinding, optionalMember } from './reply.ts';

/** The bindings of a token. A token for a referer requires that `Referer` header on every request. */
export const tokenClients = ['referer', 'ip', 'requestip'] as const;

/** Default lifetime of a token, in minutes. */
export const defaultTokenMinutes = 60;

/** A request for a token: `POST <deployment>/sharing/rest/generateToken`. Holds a secret. */
export interface TokenRequest {
  readonly username: string;
  readonly password: string;
  readonly client: (typeof tokenClients)[number];
  /** The value of the `Referer` header that the token is bound to, for the client `referer`. */
  readonly referer?: string;
  /** The address that the token is bound to, for the client `ip`. */
  readonly ip?: string;
  /** Minutes. */
  readonly expiration: number;
}

/** A token and its properties. Holds a secret. */
export interface TokenReply {
  readonly token: string;
  /** Milliseconds since the epoch; absent if the token service does not report it. */
  readonly expires?: number;
  /** True if the token requires TLS. */
  readonly ssl: boolean;
}

/** Writes the form of a request for a token. */
export function toTokenForm(request: TokenRequest): URLSearchParams {
  return new URLSearchParams({
    username: request.username,
    password: request.password,
    client: request.client,
    referer: request.referer ?? '',
    ip: request.ip ?? '',
    expiration: String(request.expiration),
    f: 'json',
  });
}

/** Reads the form of a request for a token. A parameter with a finding has its default in the request. */
export function fromTokenForm(form: URLSearchParams): {
  readonly request: TokenRequest;
  readonly findings: readonly MessageFinding[];
} {
  const findings: MessageFinding[] = [];
  const text = (parameter: string) => form.get(parameter) ?? '';
  const refuse = (parameter: string, rule: string) =>
    findings.push({ parameter, message: `"${parameter}" requires ${rule}` });
  for (const parameter of ['username', 'password']) {
    if (text(parameter) === '') refuse(parameter, 'a value');
  }
  const client = tokenClients.find((known) => known === (text('client') || 'referer'));
  if (!client) refuse('client', 'one of "referer", "ip", "requestip"');
  const binding = client === 'requestip' ? undefined : client;
  if (binding && text(binding) === '') refuse(binding, `a value for the client "${binding}"`);
  const expiration = minutesOf(form);
  if (expiration === undefined) refuse('expiration', 'a whole number of minutes above 0');
  return {
    request: {
      username: text('username'),
      password: text('password'),
      client: client ?? 'referer',
      ...(text('referer') && { referer: text('referer') }),
      ...(text('ip') && { ip: text('ip') }),
      expiration: expiration ?? defaultTokenMinutes,
    },
    findings,
  };
}

/** The minutes that a form requests, or the default; undefined if they are invalid. */
export function minutesOf(form: URLSearchParams): number | undefined {
  const minutes = Number(form.get('expiration') || defaultTokenMinutes);
  return Number.isSafeInteger(minutes) && minutes > 0 ? minutes : undefined;
}

const tokenReply = v.object({
  token: v.pipe(v.string(), v.nonEmpty()),
  expires: v.optional(v.unknown()),
  ssl: optionalMember.flag,
});

/** Reads the token in a body; undefined if the body is no reply of a token service. */
export function tokenReplyOf(body: unknown): TokenReply | undefined {
  const result = v.safeParse(tokenReply, body);
  if (!result.success) return undefined;
  const { token, expires: rawExpiry, ssl = false } = result.output;
  const expires = lenientNumber(rawExpiry);
  return { token, ...(expires !== undefined && 0 < expires && { expires }), ssl };
}

/** The value of the header that carries a token outside a form. */
export function bearerHeader(token: string): string {
  return `Bearer ${token}`;
}

/** The headers for tokens: that of HTTP, and the vendor's, for proxies that use the former themselves. */
const tokenHeaders = ['authorization', 'x-esri-authorization'] as const;

/** The token of a request, from its form or one of the headers for tokens. */
export function tokenOf(form: URLSearchParams, headers: Headers): string | undefined {
  const carried = tokenHeaders.map((name) => /^Bearer +(\S+)$/i.exec(headers.get(name) ?? '')?.[1]);
  return form.get('token') || carried.find((token) => token !== undefined);
}
