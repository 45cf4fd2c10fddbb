import type { Link, Operation, ReplyItem } from '../site/operation.ts';
import type { OperationName } from '../site/operation-name.ts';
import { addressOf, type PageContext, requestPath } from './frame.ts';

/** Label of the front page in paths. */
export const frontLabel = 'Administration';

/** Pages above a page, from the front page on. */
export function ancestorsOf(frame: PageContext): readonly Link[] {
  const path = requestPath(frame);
  const slashes = [...path.matchAll(/\//g)].map(({ index }) => index);
  const above = slashes.map((end) => path.slice(0, end)).filter((each) => each.length > frame.root.length);
  const front = path === frame.root ? [] : [{ label: frontLabel, href: frame.root }];
  return [...front, ...above.flatMap((each) => linkTo(frame, each))];
}

/** Links to the operations below a resource, and to related ones. */
export function pagesBelow(frame: PageContext): readonly Link[] {
  const { operation, operations } = frame;
  const related = operations.filter(({ name }) => operation?.related?.includes(name));
  return [
    ...childrenOf(frame, requestPath(frame)),
    ...related.map(({ title, path }) => ({ label: title, href: path })),
  ];
}

/** Link to the sign-in page, which returns to this page. */
export function signInLink(frame: PageContext): Link {
  const href = pathOfOperation(frame, 'signIn') ?? frame.root;
  const isOwn = frame.operation?.isPageOnly === true || frame.operation?.name === 'directory';
  const next = new URLSearchParams({ next: addressOf(frame) });
  return { label: 'Sign in', href: isOwn || !frame.operation ? href : `${href}?${next}` };
}

/** The path of an operation without parameters. */
export function pathOfOperation({ operations }: PageContext, wanted: OperationName): string | undefined {
  return operations.find(({ name }) => name === wanted)?.path;
}

/** Links of an object in a reply: the resource that one of its members identifies, and further pages. */
export interface ItemLinks {
  readonly identifier?: { readonly member: string; readonly href: string };
  readonly more: readonly Link[];
}

/** Members that identify a resource wherever they occur. The member `id` identifies one below the resource that lists it. */
const identifiers: Readonly<Record<string, OperationName>> = { itemID: 'upload', jobid: 'job' };

/** Links of an object in a reply, by its identifier and by its operation. */
export function linksOfItem(frame: PageContext, item: ReplyItem): ItemLinks {
  const own = frame.operation?.links?.(item, frame.form) ?? [];
  for (const [member, value] of Object.entries(item)) {
    const target = typeof value === 'string' && value !== '' ? resourceOf(frame, member) : undefined;
    if (!target) continue;
    const href = target.path.replace(/:\w+/, encodeURIComponent(String(value)));
    if (href === requestPath(frame)) continue;
    return { identifier: { member, href }, more: [...own, ...childrenOf(frame, href)] };
  }
  return { more: own };
}

/** Links below the resource at an absolute address of this deployment. */
export function linksOfAddress(frame: PageContext, address: string): readonly Link[] {
  if (!URL.canParse(address)) return [];
  const { origin, pathname } = new URL(address);
  const isOne = operationAt(frame, pathname)?.path.includes(':') ?? false;
  return origin === frame.url.origin && isOne ? childrenOf(frame, pathname) : [];
}

function resourceOf({ operations, operation }: PageContext, member: string): Operation | undefined {
  const known = identifiers[member];
  if (known !== undefined) return operations.find(({ name }) => name === known);
  return member === 'id' && operation
    ? operations.find(({ path }) => path === `${operation.path}/:id`)
    : undefined;
}

/** Operations one step below the resource at a path. The front page lists all of them itself. */
function childrenOf(frame: PageContext, path: string): readonly Link[] {
  const parent = operationAt(frame, path);
  if (!parent || parent.path === frame.root) return [];
  return frame.operations
    .filter((each) => each.path.startsWith(`${parent.path}/`))
    .map(({ title, path: pattern }) => ({ label: title, step: pattern.slice(parent.path.length) }))
    .filter(({ step }) => /^\/[^/:]+$/.test(step))
    .map(({ label, step }) => ({ label, href: path + step }));
}

function linkTo(frame: PageContext, path: string): readonly Link[] {
  const operation = operationAt(frame, path);
  return operation ? [{ label: operation.title, href: path }] : [];
}

function operationAt({ operations }: PageContext, path: string): Operation | undefined {
  const steps = path.split('/');
  return operations.find(({ path: pattern }) => {
    const wanted = pattern.split('/');
    return (
      wanted.length === steps.length && wanted.every((each, at) => each.startsWith(':') || each === steps[at])
    );
  });
}
