import type { Operation, Session } from '../site/operation.ts';

/** The context of a page: the request and the operations of the deployment. */
export interface PageContext {
  /** The path of the front page. */
  readonly root: string;
  /** All operations and resources; the first one that matches a path answers. */
  readonly operations: readonly Operation[];
  /** The operation that answered; undefined for an unknown address. */
  readonly operation: Operation | undefined;
  readonly method: string;
  readonly url: URL;
  /** The sent parameters. They may hold secrets: only fields of the operation may be shown again. */
  readonly form: URLSearchParams;
  /** The user that is signed in. */
  readonly session: Session | undefined;
  /** True if a page of another site may have sent the request: none of its values is shown. */
  readonly foreign: boolean;
}

/** The path of a request without a final slash. */
export function requestPath({ url }: Pick<PageContext, 'url'>): string {
  return url.pathname.replace(/(?<=.)\/+$/, '');
}

/** The sent values of the operation's fields, without secrets. */
export function shownValues({ operation, form, foreign }: PageContext): Readonly<Record<string, string>> {
  const shown = (operation?.fields ?? []).filter(({ type }) => type !== 'password' && type !== 'file');
  const sent = foreign ? [] : [...shown.map(({ name }) => name), ...(operation?.fields.length ? ['f'] : [])];
  return Object.fromEntries(
    sent.flatMap((name) => {
      const value = form.get(name);
      return value === null ? [] : [[name, value]];
    }),
  );
}

/** The address of a page with its parameters. It never holds a token. */
export function addressOf(frame: PageContext): string {
  const values = frame.method === 'POST' ? {} : shownValues(frame);
  const search = new URLSearchParams(values).toString();
  return requestPath(frame) + (search === '' ? '' : `?${search}`);
}
