import type { Operation, Session } from '../operation.ts';

/** A request as far as its page depends on it. */
export interface Frame {
  /** The path of the page that everything can be reached from. */
  readonly root: string;
  /** All operations and resources; of two that fit a path the first one answers. */
  readonly operations: readonly Operation[];
  /** The one that answered; absent for an address that leads to nothing. */
  readonly operation: Operation | undefined;
  readonly method: string;
  readonly url: URL;
  /** The parameters that were sent. Can hold secrets: only the fields of the operation may be shown again. */
  readonly form: URLSearchParams;
  /** User that is signed in. */
  readonly session: Session | undefined;
  /** True if a page of another site may have sent the request: nothing of it is shown again. */
  readonly foreign: boolean;
}

/** The path of a request without a final slash. */
export function pathOf({ url }: Pick<Frame, 'url'>): string {
  return url.pathname.replace(/(?<=.)\/+$/, '');
}

/** Values that were sent for the fields of an operation, without secrets. */
export function shownValues({ operation, form, foreign }: Frame): Readonly<Record<string, string>> {
  const shown = (operation?.fields ?? []).filter(({ type }) => type !== 'password' && type !== 'file');
  const sent = foreign ? [] : [...shown.map(({ name }) => name), ...(operation?.fields.length ? ['f'] : [])];
  return Object.fromEntries(
    sent.flatMap((name) => {
      const value = form.get(name);
      return value === null ? [] : [[name, value]];
    }),
  );
}

/** The address of a page with what it shows, to come back to. It holds no token, whatever the request carried. */
export function addressOf(frame: Frame): string {
  const values = frame.method === 'POST' ? {} : shownValues(frame);
  const search = new URLSearchParams(values).toString();
  return pathOf(frame) + (search === '' ? '' : `?${search}`);
}
