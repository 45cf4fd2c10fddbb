import type { DecodedXml, Failure, FailureShape, NamedFile } from '../protocol/index.ts';
import type { Privilege, User } from './accounts.ts';
import type { Effect } from './faults.ts';
import type { OperationName } from './operation-name.ts';

/**
 * One operation or resource: what it needs and what it does. Method, form,
 * format, token and privilege are checked before `run` is called, and its
 * answer is written in the format that was asked for, in one place for all.
 */
export interface Operation {
  readonly name: OperationName;
  /** Heads its pages. */
  readonly title: string;
  /** Its path from the host on; a part like `:id` stands for anything. */
  readonly path: string;
  /** Resources can be read with GET; operations require POST. */
  readonly methods: readonly ('GET' | 'POST')[];
  /** The only body that it takes (section 4 of the interface document). Default: a form of either media type. */
  readonly reads?: BodyType;
  /** What a caller needs. Absent: not even a token. */
  readonly privilege?: Privilege;
  /** The version that brought it (section 9 of the interface document): deployments of older ones lack it. */
  readonly since?: string;
  /** When it does not answer: a child of the upgrades resource while an upgrade runs, or what changes something in read-only mode. */
  readonly closed?: 'during upgrades' | 'in read-only mode';
  /** True for one that can be read with GET and still has a page with its form: for a GET without any of its fields. */
  readonly asksFirst?: boolean;
  /** The fields of the form on its page. */
  readonly fields: readonly FormField[];
  /** Initial values of the form for a user with the privilege, or the refusal in place of a form. */
  readonly fill?: (asked: Pick<Call, 'id' | 'form'>) => FilledForm | Refusal;
  /** Pages that an object of its answer leads to, beside those that follow from its identifier. */
  readonly links?: (item: Item, form: URLSearchParams) => readonly Link[];
  /** Other operations that its page leads to, beside those below it. */
  readonly related?: readonly OperationName[];
  /** True for what only a browser uses: it answers with another page, so that its form asks for no format. */
  readonly isPageOnly?: true;
  readonly run: (call: Call) => Answer | Promise<Answer>;
}

/** A form as `application/x-www-form-urlencoded`, a form as `multipart/form-data`, or a SOAP message. */
export type BodyType = 'urlencoded' | 'multipart' | 'soap';

/** A field of the form on the page of an operation. */
export interface FormField {
  readonly name: string;
  readonly type?: 'text' | 'password' | 'file' | 'lines' | 'hidden';
  /** What it holds at first. */
  readonly value?: string;
  /** Present: one of these. */
  readonly choices?: readonly string[];
  /** A short explanation that stands with it. */
  readonly hint?: string;
  /** True if a browser requires a value before it sends the form. */
  readonly required?: true;
  /** Value of HTML's `autocomplete` attribute. */
  readonly autocomplete?: string;
}

/** An object of an answer. */
export type Item = Readonly<Record<string, unknown>>;

/** A way to a page of the deployment. */
export interface Link {
  readonly label: string;
  /** A path, perhaps with parameters. */
  readonly href: string;
}

/** One request, as far as an operation needs it. */
export interface Call {
  /** Joins what is logged of it; also part of the job resource. */
  readonly requestID: string;
  /** The parameters of the body and, where the body lacks one, of the address. */
  readonly form: URLSearchParams;
  /** The parameters of the body alone: a password in an address counts as none. */
  readonly body: URLSearchParams;
  /** The files of a multipart form, by their fields. */
  readonly files: ReadonlyMap<string, NamedFile>;
  /** The text of a SOAP message, or why its bytes are none; empty for forms. */
  readonly message: DecodedXml;
  /** `GET` or `POST`. */
  readonly method: string;
  /** What `:id` of the path stands for, empty where the path has none. */
  readonly id: string;
  /** The scheme and host under which the deployment was reached. */
  readonly origin: string;
  /** The address of the caller. */
  readonly caller: string;
  /** Its `Referer` header. */
  readonly referer: string | undefined;
  /** Whose token it carries. Absent where no token is needed. */
  readonly user: User | undefined;
  /** True if the request carries a token, valid or not. */
  readonly carriesToken: boolean;
  /** Whose token it carries, or why that token does not count, for what is not always secured. */
  readonly identify: () => User | Refusal;
  /** The token in its cookie, which counts for pages only. Holds a secret. */
  readonly session: string | undefined;
  /** Whether a page of another site may have sent it. */
  readonly foreign: boolean;
  /** What is to go wrong. */
  readonly effects: readonly Effect[];
}

/** What an operation answers. */
export type Answer =
  | Refusal
  /** An object of the interface, written in the format that was asked for. */
  | { readonly kind: 'body'; readonly body: object }
  | {
      readonly kind: 'file';
      readonly name: string;
      readonly bytes: Uint8Array<ArrayBuffer>;
      /** Default a zip. */
      readonly type?: string;
      /** Its bytes as they arrive, where that is not all at once. */
      readonly stream?: ReadableStream<Uint8Array>;
    }
  | FilledForm
  /** A SOAP message; with the failure that it stands for, if it does. */
  | { readonly kind: 'soap'; readonly text: string; readonly failure?: Failure }
  /** Another address to go to, with a cookie to take along where there is one. */
  | { readonly kind: 'redirect'; readonly location: string; readonly cookie?: string }
  /** A text that is none of the interface's. */
  | {
      readonly kind: 'text';
      readonly status: number;
      readonly type: string;
      readonly text: string;
      /** Seconds after which to come again. */
      readonly retryAfter?: number;
    };

/** The page with the form of an operation, and what its fields hold. */
export interface FilledForm {
  readonly kind: 'form';
  readonly values: Readonly<Record<string, string>>;
}

/** What the pages know of one who is signed in. */
export interface Session {
  readonly username: string;
  /** Proves that a form is from a page of this deployment. */
  readonly csrf: string;
}

/** A failure of the interface. The words never hold a password or a token. */
export interface Refusal {
  readonly kind: 'failure';
  readonly failure: Failure;
  /** Default `error`. */
  readonly shape?: FailureShape;
  /** The HTTP status. Default 200, because most failures arrive with that (field notes). */
  readonly status?: number;
  /** Seconds after which to come again. */
  readonly retryAfter?: number;
}

/** A refusal in the usual shape. */
export function refuse(code: number, message: string, ...details: readonly string[]): Refusal {
  return { kind: 'failure', failure: { code, message, details } };
}
