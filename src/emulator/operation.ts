import type { DecodedXml, Failure, FailureShape, NamedFile } from '../protocol/index.ts';
import type { Privilege, User } from './access.ts';
import type { ZipOddity } from './archive.ts';

/**
 * One operation or resource: its requirements and its function. Method, form, format, token and privilege are
 * checked before `run`. The answer is written in the requested format, in one place for all.
 */
export interface Operation {
  readonly name: OperationName;
  /** Heads its pages. */
  readonly title: string;
  /** Its path from the host on; a part such as `:id` is a parameter. */
  readonly path: string;
  /** Resources can be read with GET; operations require POST. */
  readonly methods: readonly ('GET' | 'POST')[];
  /** The only accepted body (section 4 of the interface document). Default: a form of either media type. */
  readonly reads?: BodyType;
  /** Required privilege. Absent: open without a token. */
  readonly privilege?: Privilege;
  /** The version that introduced it (section 9 of the interface document); older deployments lack it. */
  readonly since?: string;
  /**
   * When it is closed: a child of the upgrades resource while an upgrade runs, or a change in read-only mode.
   */
  readonly closed?: 'during upgrades' | 'in read-only mode';
  /** True if a GET without any of its fields answers with its form. */
  readonly asksFirst?: boolean;
  /** The fields of the form on its page. */
  readonly fields: readonly FormField[];
  /** Initial values of the form for a user with the privilege, or the refusal in place of a form. */
  readonly initialForm?: (request: Pick<CheckedRequest, 'id' | 'form'>) => FilledForm | RefusalAnswer;
  /** Links of an object of its answer, beside those that follow from its identifier. */
  readonly links?: (item: ReplyItem, form: URLSearchParams) => readonly Link[];
  /** Other operations that its page links to, beside those below it. */
  readonly related?: readonly OperationName[];
  /** True for operations of browsers only: they answer with another page, so that their form has no format. */
  readonly isPageOnly?: true;
  readonly run: (call: CheckedRequest) => Answer | Promise<Answer>;
}

/** A form as `application/x-www-form-urlencoded`, a form as `multipart/form-data`, or a SOAP message. */
export type BodyType = 'urlencoded' | 'multipart' | 'soap';

/** A field of the form on the page of an operation. */
export interface FormField {
  readonly name: string;
  readonly type?: 'text' | 'password' | 'file' | 'lines' | 'hidden';
  /** Initial value. */
  readonly value?: string;
  /** The allowed values, if there are few. */
  readonly choices?: readonly string[];
  /** A short explanation. */
  readonly hint?: string;
  /** True if a browser requires a value before it sends the form. */
  readonly required?: true;
  /** Value of HTML's `autocomplete` attribute. */
  readonly autocomplete?: string;
}

/** An object of an answer. */
export type ReplyItem = Readonly<Record<string, unknown>>;

/** A link to a page of the deployment. */
export interface Link {
  readonly label: string;
  /** A path, with or without parameters. */
  readonly href: string;
}

/** A checked request, as an operation gets it. */
export interface CheckedRequest {
  /** Joins its logs; also part of the job resource. */
  readonly requestID: string;
  /** The parameters of the body, and those of the address that the body lacks. */
  readonly form: URLSearchParams;
  /** The parameters of the body alone: a password in an address is ignored. */
  readonly body: URLSearchParams;
  /** The files of a multipart form, by their fields. */
  readonly files: ReadonlyMap<string, NamedFile>;
  /** The text of a SOAP message, or the problem with its bytes; empty for forms. */
  readonly message: DecodedXml;
  /** `GET` or `POST`. */
  readonly method: string;
  /** The value of `:id` in the path; empty if the path has none. */
  readonly id: string;
  /** The scheme and host under which the deployment was reached. */
  readonly origin: string;
  /** The address of the caller. */
  readonly caller: string;
  /** Its `Referer` header. */
  readonly referer: string | undefined;
  /** User of its token. Undefined for open operations. */
  readonly user: User | undefined;
  /** True if the request carries a token, valid or not. */
  readonly carriesToken: boolean;
  /** Finds the user of its token, or the refusal, for operations that are not always secured. */
  readonly identify: () => User | RefusalAnswer;
  /** The token in its cookie, which is valid for pages only. Holds a secret. */
  readonly session: string | undefined;
  /** True if a page of another site may have sent it. */
  readonly foreign: boolean;
  /** Faults to apply. */
  readonly effects: readonly Effect[];
}

/** The answer of an operation. */
export type Answer =
  | RefusalAnswer
  /** An object of the interface, written in the requested format. */
  | { readonly kind: 'body'; readonly body: object }
  | {
      readonly kind: 'file';
      readonly name: string;
      readonly bytes: Uint8Array<ArrayBuffer>;
      /** Default a zip. */
      readonly type?: string;
      /** Its bytes as a stream, for faults that delay or break it. */
      readonly stream?: ReadableStream<Uint8Array>;
    }
  | FilledForm
  /** A SOAP message, with its failure if it is a fault. */
  | { readonly kind: 'soap'; readonly text: string; readonly failure?: Failure }
  /** A redirect, with a cookie if one is set. */
  | { readonly kind: 'redirect'; readonly location: string; readonly cookie?: string }
  /** A text outside the interface. */
  | {
      readonly kind: 'text';
      readonly status: number;
      readonly type: string;
      readonly text: string;
      /** Seconds until the client may retry. */
      readonly retryAfter?: number;
    };

/** The page with the form of an operation, and the values of its fields. */
export interface FilledForm {
  readonly kind: 'form';
  readonly values: Readonly<Record<string, string>>;
}

/** A user that is signed in on the pages. */
export interface Session {
  readonly username: string;
  /** Proves that a form is from a page of this deployment. */
  readonly csrf: string;
}

/** A failure of the interface. Its texts never hold a password or a token. */
export interface RefusalAnswer {
  readonly kind: 'failure';
  readonly failure: Failure;
  /** Default `error`. */
  readonly shape?: FailureShape;
  /** The HTTP status. Default 200, because most failures arrive with that (field notes). */
  readonly status?: number;
  /** Seconds until the client may retry. */
  readonly retryAfter?: number;
}

/** Makes a refusal in the usual shape. */
export function refuseWith(code: number, message: string, ...details: readonly string[]): RefusalAnswer {
  return { kind: 'failure', failure: { code, message, details } };
}

/** Names of the deployment's operations and resources in faults and logs. */
export const operationNames = [
  'generateToken',
  'adminToken',
  'revokeToken',
  'self',
  'portal',
  'portalServers',
  'portalUrls',
  'sharingInfo',
  'serverInfo',
  'adminInfo',
  'appAccess',
  'restServices',
  'restFolder',
  'catalog',
  'directory',
  'signIn',
  'signOut',
  'exportLogs',
  'queryLogs',
  'searchLogs',
  'logSettings',
  'editLogSettings',
  'cleanLogs',
  'updateLogIndex',
  'jobs',
  'job',
  'uploadFile',
  'uploads',
  'upload',
  'deleteUpload',
  'download',
  'microservices',
  'microserviceStatus',
  'templates',
  'template',
  'editTemplate',
  'upgrades',
  'available',
  'getUpgradeSettings',
  'checkRollback',
  'installed',
  'upgrade',
  'rollback',
] as const;

/** The name of an operation or resource. */
export type OperationName = (typeof operationNames)[number];

/**
 * A fault on demand, as data. Without `skip` and `times` every call of the operation fails.
 *
 * ```ts
 * const fault: Fault = { on: 'job', skip: 2, times: 1, effect: 'status', status: 503 };
 * ```
 */
export type Fault = Effect & {
  readonly on: OperationName;
  /** Number of calls before the first fault. Default 0. */
  readonly skip?: number;
  /** Largest number of faults. Default: no limit. */
  readonly times?: number;
  /** Distance between faults in calls. Default 1: every call. */
  readonly every?: number;
};

/** The effect of a fault. Effects that name an operation do nothing on others. */
export type Effect =
  /** The answer comes late. */
  | { readonly effect: 'delay'; readonly milliseconds: number }
  /** An answer with this HTTP status and no body of the interface. `retryAfter` is in seconds. */
  | { readonly effect: 'status'; readonly status: number; readonly retryAfter?: number }
  /** The connection breaks before the operation runs. */
  | { readonly effect: 'reset' }
  /** The connection breaks after the operation has run: the answer is lost. */
  | { readonly effect: 'loseAnswer' }
  /** A page instead of JSON. */
  | { readonly effect: 'page' }
  /** A refusal, in any of the known shapes. */
  | { readonly effect: 'refuse'; readonly failure: Failure; readonly shape?: FailureShape }
  /** All tokens end before the call is checked. */
  | { readonly effect: 'expireTokens' }
  /** On `exportLogs`: the job ends in this state, with these messages, and without a result. */
  | { readonly effect: 'endJob'; readonly state: string; readonly messages: readonly string[] }
  /** On `exportLogs`: two jobs are submitted, and the answer names the second. */
  | { readonly effect: 'submitTwice' }
  /** On `exportLogs`: the job takes longer. */
  | { readonly effect: 'delayJob'; readonly milliseconds: number }
  /** On `exportLogs`: the zip holds no entry at all. */
  | { readonly effect: 'noEntries' }
  /** On `exportLogs`: this share of the logs, 0 to 1, is not in the zip: the oldest of them. */
  | { readonly effect: 'loseLogs'; readonly share: number }
  /** On `exportLogs`: further logs than these are left out without a notice; `silentCap` for this call alone. */
  | { readonly effect: 'lowerCap'; readonly cap: number }
  /** On `exportLogs`: the logs of these times, both ends included, are not there: yet, or any more. */
  | { readonly effect: 'hideLogs'; readonly from?: number; readonly until?: number }
  /** On `exportLogs`: this share of the logs, 0 to 1, is left out: others in each call. */
  | { readonly effect: 'dropLogs'; readonly share: number }
  /** On `exportLogs`: the zip holds one more entry, whose path climbs out of the folder. */
  | { readonly effect: 'climbingPath' }
  /** On `exportLogs`: the zip is odd in these ways. */
  | { readonly effect: 'oddZip'; readonly kinds: readonly ZipOddity[] }
  /** On `upgrade` and `rollback`: it fails after this share of its time, 0 to 1. */
  | { readonly effect: 'failUpgrade'; readonly after: number }
  /** On `download`: the bytes end after this share, 0 to 1, without an error. */
  | { readonly effect: 'truncate'; readonly keep: number }
  /** On `download`: some bytes in the middle are changed. */
  | { readonly effect: 'corrupt' }
  /** On `download`: the connection breaks after this share of the bytes. */
  | { readonly effect: 'breakOff'; readonly keep: number }
  /** On `download`: the bytes arrive in pieces, with a pause before each. */
  | { readonly effect: 'slow'; readonly pieces: number; readonly milliseconds: number };

/** Returns the effects on the next call of an operation, and counts that call. */
export type NextEffects = (operation: OperationName) => readonly Effect[];

/** Counts the calls of each operation and returns the effects that are due. */
export function createFaults(faults: readonly Fault[]): NextEffects {
  const calls = new Map<OperationName, number>();
  return (operation) => {
    const before = calls.get(operation) ?? 0;
    calls.set(operation, before + 1);
    return faults.filter(
      ({ on, skip = 0, times = Number.POSITIVE_INFINITY, every = 1 }) =>
        on === operation && skip <= before && (before - skip) % every === 0 && before - skip < times * every,
    );
  };
}

/** The effect of a kind among those due, if any. */
export function effectOf<K extends Effect['effect']>(
  effects: readonly Effect[],
  kind: K,
): Extract<Effect, { effect: K }> | undefined {
  return effects.find((effect): effect is Extract<Effect, { effect: K }> => effect.effect === kind);
}

/** Rejection of `fetch` for a fault that breaks the connection. The caller has to break it. */
export class BrokenConnection extends Error {
  override readonly name = 'BrokenConnection';
}
