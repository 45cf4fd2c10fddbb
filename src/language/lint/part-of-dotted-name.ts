import type { Fix } from '../parse/finding.ts';
import type { Clause, Part } from '../parse/tree.ts';
import { askedText } from './clause.ts';
import type { LintContext, LintRule } from './rule.ts';
import { quoteName } from './wording.ts';

/**
 * The last part of the name of a class, such as `NullPointerException`. Logs mostly
 * have the whole name, `java.lang.NullPointerException`. It is one token, which its
 * parts do not find (section 4 of the language specification).
 */
export const partOfDottedName: LintRule = {
  code: 'part-of-dotted-name',
  heading: 'A part of a dotted name does not find the whole',
  severity: 'hint',
  level: ({ parts }, context) => {
    let dotted: ReadonlySet<string | undefined> | undefined;
    for (const part of parts) {
      const name = part.kind === 'Clause' ? classNameIn(part, context) : undefined;
      if (part.kind !== 'Clause' || !name) continue;
      dotted ??= new Set(parts.map(lastPart));
      if (!dotted.has(name)) report(part, name, context);
    }
  },
};

function report(clause: Clause, name: string, context: LintContext): void {
  const whole = `${packageOf(name) ?? 'com.example'}.${name}`;
  const message = `${quoteName(name)} is not found within a dotted name, such as ${quoteName(whole)}`;
  context.report(clause.item, message, () => wholeName(clause, name, context));
}

/** The last part of the dotted name that a part asks for. A query for both needs no hint. */
function lastPart(part: Part): string | undefined {
  const text = part.kind === 'Clause' && 'term' in part.item ? part.item.term.text : undefined;
  return text?.includes('.') ? text.slice(text.lastIndexOf('.') + 1) : undefined;
}

/** The text of a clause if it looks like the name of a class without its package. */
function classNameIn(clause: Clause, { targets, terms }: LintContext): string | undefined {
  const { item } = clause;
  if ((item.kind !== 'Word' && item.kind !== 'Phrase') || !mayBeClass(item.term.text)) return undefined;
  const { named: name, hasText } = targets(clause);
  const isAsked = name !== undefined && /class/i.test(name);
  if (!hasText || (!isAsked && !/Exception|Error|\\/.test(item.term.text))) return undefined;
  const text = askedText(item);
  if (text === undefined || !/^[A-Z][A-Za-z0-9_$]+$/.test(text) || terms(clause).length !== 1)
    return undefined;
  return isAsked || /.(Exception|Error)$/.test(text) ? text : undefined;
}

/** Returns whether a text begins with a capital letter, or with a backslash that may escape one. */
function mayBeClass(text: string): boolean {
  const first = text.charAt(text.charAt(0) === '"' ? 1 : 0);
  return ('A' <= first && first <= 'Z') || first === '\\';
}

/** Adds the whole name: with its package if it is well known, else with a wildcard if those are allowed. */
function wholeName({ item }: Clause, name: string, { dialect }: LintContext): Fix[] {
  const known = packageOf(name) ?? (dialect === 'lucene' ? '*' : undefined);
  if (!known || !('suffixes' in item) || item.suffixes.some(({ kind }) => kind === 'Tilde')) return [];
  const { from, to, text } = item.term;
  return [
    { title: 'Ask for the whole name too', edits: [{ from, to, insert: `(${text} OR ${known}.${name})` }] },
  ];
}

/** Exceptions and errors of the Java platform that occur in the logs of servers, by their packages. */
const packages: Readonly<Record<string, string>> = {
  'java.lang':
    'ArithmeticException ArrayIndexOutOfBoundsException ClassCastException ClassNotFoundException IllegalArgumentException IllegalStateException IndexOutOfBoundsException InterruptedException LinkageError NegativeArraySizeException NoClassDefFoundError NoSuchFieldError NoSuchMethodError NullPointerException NumberFormatException OutOfMemoryError RuntimeException SecurityException StackOverflowError StringIndexOutOfBoundsException UnsatisfiedLinkError UnsupportedOperationException',
  'java.io':
    'EOFException FileNotFoundException IOException InvalidObjectException NotSerializableException UncheckedIOException UnsupportedEncodingException',
  'java.net':
    'BindException ConnectException MalformedURLException NoRouteToHostException SocketException SocketTimeoutException URISyntaxException UnknownHostException',
  'java.nio.file': 'AccessDeniedException FileAlreadyExistsException NoSuchFileException',
  'java.sql': 'BatchUpdateException SQLException SQLTimeoutException',
  'java.util':
    'ConcurrentModificationException InputMismatchException MissingResourceException NoSuchElementException',
  'java.util.concurrent':
    'CancellationException CompletionException ExecutionException RejectedExecutionException TimeoutException',
  'javax.net.ssl': 'SSLException SSLHandshakeException SSLPeerUnverifiedException',
};

const byName: ReadonlyMap<string, string> = new Map(
  Object.entries(packages).flatMap(([name, classes]) =>
    classes.split(' ').map((className): [string, string] => [className, name]),
  ),
);

/** The package of a well-known class. */
function packageOf(className: string): string | undefined {
  return byName.get(className);
}
