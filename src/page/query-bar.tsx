import type { RefObject } from 'preact';
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import {
  applyFix,
  type Completion,
  type CountedValue,
  type ExplainedLevel,
  type Explanation,
  effectLabel,
  explain,
  explicit,
  type Finding,
  type Fix,
  hasErrors,
  type LanguageService,
  languageService,
  offlineOptions,
  parse,
  quote,
  type Schema,
} from '../language/index.ts';
import { formatNumber, formatTime, visible } from './format.ts';
import { Dialog, insertText, StateNote } from './parts.tsx';
import { addClause, clauseFor, paintQuery, workingFixes } from './query-text.ts';
import { sourcesQuery, streamFromServer, useAnswer, useWriter, useWritten } from './server-calls.ts';
import { usePage, useSchema } from './use-page-state.ts';

interface QueryBarProps {
  /** Receives true when a query with errors is sent, and false when it has none any more. */
  readonly reportRefused: (isRefused: boolean) => void;
}

/** The query of the page: written, checked and explained while typing, searched for by Enter. */
export function QueryBar({ reportRefused }: QueryBarProps) {
  const { state, go } = usePage();
  const schema = useSchema();
  const [text, setText] = useState(state.q);
  const [open, setOpen] = useState<'history' | 'builder' | 'saved'>();
  useEffect(() => {
    setText(state.q);
    // Also what a click on a value, a pattern or a link searched for.
    rememberQuery(state.q);
  }, [state.q]);
  const service = useMemo(() => serviceOf(text, schema), [text, schema]);
  const findings = service.findings();
  const isBroken = hasErrors(findings);
  const isPending = text.trim() !== state.q.trim();
  useEffect(() => {
    if (!isBroken) reportRefused(false);
  }, [isBroken]);
  const search = (query: string) => {
    setText(query);
    if (hasErrors(serviceOf(query, schema).findings())) return reportRefused(true);
    go({ q: query.trim() });
  };
  const completion = useCompletion();
  const field = useRef<HTMLTextAreaElement>(null);
  /** Writes another text as if it were typed, so that undo has the one before. */
  const replace = (next: string) => {
    if (field.current) insertText(field.current, next, { from: 0, to: text.length });
    completion.close();
  };
  const apply = (fix: Fix) => replace(applyFix(text, fix));
  const fixesOf = useMemo(() => {
    const check = (changed: string) => serviceOf(changed, schema).findings();
    return (finding: Finding) => workingFixes(finding, service, check);
  }, [service]);
  const close = () => setOpen(undefined);
  return (
    <>
      <form
        class="query-bar"
        role="search"
        onSubmit={(event) => {
          event.preventDefault();
          search(text);
        }}
      >
        <QueryEditor
          {...{ field, service, completion, isPending }}
          change={setText}
          submit={() => search(text)}
          fix={() => {
            const [fix] = findings.flatMap(fixesOf);
            if (fix) apply(fix);
          }}
          makeSafe={() => {
            if (!isBroken && text.trim() !== '') replace(explicit(service.query, { schema }).text);
          }}
        />
        <div class="query-acts">
          <button type="submit" class={isPending ? 'primary' : ''} disabled={isBroken}>
            Search
          </button>
          <button type="button" onClick={() => setOpen('builder')}>
            Add filter
          </button>
          <button type="button" onClick={() => setOpen('history')}>
            History
          </button>
          <button type="button" onClick={() => setOpen('saved')}>
            Saved
          </button>
        </div>
        <StatusLine {...{ text, findings, fixesOf, apply, replace }} ran={isPending ? state.q : undefined} />
        {open === 'history' && <HistoryDialog {...{ search, close }} />}
        {open === 'builder' && <BuilderDialog query={text} {...{ search, close }} />}
      </form>
      {open === 'saved' && <SavedSearchesDialog close={close} />}
    </>
  );
}

/** The language at a query of the page. A text without a query has no findings: it selects all logs. */
function serviceOf(text: string, schema: Schema): LanguageService {
  const service = languageService(text, { ...offlineOptions, schema, now: Date.now(), limit });
  return text.trim() === '' ? { ...service, findings: () => [] } : service;
}

/** Queries that were searched for, kept by the browser for this address. */
const key = 'logquarry-history';

/** Most queries that are kept. */
const most = 200;

/** The earlier queries, the newest first. */
function readHistory(): readonly string[] {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(key) ?? '[]');
    return Array.isArray(stored) ? stored.filter((each) => typeof each === 'string') : [];
  } catch {
    return [];
  }
}

/** Keeps a query as the newest one. */
function rememberQuery(query: string): void {
  const text = query.trim();
  if (text === '') return;
  const kept = [text, ...readHistory().filter((each) => each !== text)].slice(0, most);
  try {
    localStorage.setItem(key, JSON.stringify(kept));
  } catch {
    // A browser without storage has no history.
  }
}

interface QueryEditorProps {
  readonly field: RefObject<HTMLTextAreaElement>;
  readonly service: LanguageService;
  readonly completion: CompletionState;
  /** The text is another one than that of the shown results. */
  readonly isPending: boolean;
  readonly change: (text: string) => void;
  readonly submit: () => void;
  /** Applies the first fix, if there is one. */
  readonly fix: () => void;
  /** Writes the query as the server reads it, so that nobody can misread it. */
  readonly makeSafe: () => void;
}

/**
 * The field for a query: a text area whose letters are transparent, above the same text in colours.
 * So undo, composition, selection and screen readers are those of the browser.
 */
function QueryEditor({ field, service, isPending, change, submit, ...editor }: QueryEditorProps) {
  const { completion, chosen, choose, suggest, close } = editor.completion;
  const accept = (index: number) => {
    const suggestion = completion?.suggestions[index];
    const area = field.current;
    if (!completion || !suggestion || !area) return;
    insertText(area, suggestion.insert, completion);
    change(area.value);
    if (suggestion.kind === 'field') suggest(area.value, area.selectionStart);
    else close();
  };
  const count = completion?.suggestions.length ?? 0;
  const keys: { readonly [key: string]: (event: KeyboardEvent) => boolean } = {
    Enter: (event) => {
      if (event.altKey) (event.shiftKey ? editor.makeSafe : editor.fix)();
      else if (event.shiftKey) return false;
      else if (completion && 0 <= chosen) accept(chosen);
      else {
        close();
        submit();
      }
      return true;
    },
    Tab: (event) => {
      if (!completion || event.shiftKey) return false;
      accept(Math.max(0, chosen));
      return true;
    },
    Escape: () => {
      if (completion) close();
      return completion !== undefined;
    },
    ArrowDown: () => move(1),
    ArrowUp: () => move(-1),
    ' ': (event) => {
      if (event.ctrlKey && field.current) suggest(field.current.value, field.current.selectionStart);
      return event.ctrlKey;
    },
  };
  const move = (step: number) => {
    if (!completion) return false;
    choose((chosen + step + count + (chosen < 0 && step < 0 ? 1 : 0)) % count);
    return true;
  };
  return (
    <div class={`editor ${isPending ? 'pending' : ''}`}>
      <pre class="editor-paint" aria-hidden="true">
        {paintQuery(service).map(({ text: piece, look }, index) => (
          <span key={index} class={look}>
            {piece}
          </span>
        ))}
        {'\n'}
      </pre>
      <textarea
        ref={field}
        id="query"
        class="editor-field"
        rows={1}
        value={service.text}
        spellcheck={false}
        autocapitalize="off"
        autocomplete="off"
        aria-label="Query"
        aria-describedby="findings"
        aria-autocomplete="list"
        aria-controls={completion ? 'suggestions' : undefined}
        aria-activedescendant={completion && 0 <= chosen ? `suggestions-${chosen}` : undefined}
        aria-invalid={hasErrors(service.findings())}
        placeholder="Search: words, field:value, &quot;a phrase&quot;, AND, OR, NOT"
        onInput={({ currentTarget }) => {
          change(currentTarget.value);
          suggest(currentTarget.value, currentTarget.selectionStart);
        }}
        onKeyDown={(event) => {
          if (!event.isComposing && keys[event.key]?.(event)) event.preventDefault();
        }}
        onBlur={close}
      />
      {isPending && (
        <span class="not-run">
          Not run yet <kbd>Enter</kbd>
        </span>
      )}
      {completion && <CompletionList id="suggestions" {...{ completion, chosen, accept }} />}
    </div>
  );
}

interface StatusLineProps extends FindingListProps, ReadingProps {
  /** The query of the shown results, if the text is another one. */
  readonly ran: string | undefined;
}

/**
 * One line below the query, whose height never changes, so that nothing moves while one types: the first finding, else
 * how the server reads the query. All of them lie over the page on demand.
 */
function StatusLine({ text, findings, ran, fixesOf, apply, replace }: StatusLineProps) {
  const explanation = useExplanation(text);
  const [isOpen, setOpen] = useState(false);
  const first = findings.slice(0, 1);
  const hasMore = 0 < first.length || explanation !== undefined;
  const details = 1 < findings.length ? `${findings.length} findings` : 'Details';
  return (
    <div class="status-line">
      <div class="status-first">
        <FindingList findings={first} {...{ fixesOf, apply }} />
        {first.length === 0 && <ReadingView {...{ explanation, replace }} />}
      </div>
      {ran !== undefined && (
        <span class="ran">
          Results of <code>{visible(ran === '' ? '*:*' : ran)}</code>
        </span>
      )}
      {hasMore && (
        <button
          type="button"
          class="small"
          aria-expanded={isOpen}
          onClick={() => setOpen(!isOpen)}
          onKeyDown={(event) => {
            if (event.key !== 'Escape' || !isOpen) return;
            event.preventDefault();
            setOpen(false);
          }}
        >
          {details}
        </button>
      )}
      {hasMore && isOpen && (
        <div class="status-all">
          <FindingList isWhole {...{ findings, fixesOf, apply }} />
          <ReadingView {...{ explanation, replace }} />
        </div>
      )}
    </div>
  );
}

interface FindingListProps {
  readonly findings: readonly Finding[];
  /** Lists all of them rather than the first, which describes the query. */
  readonly isWhole?: boolean;
  readonly fixesOf: (finding: Finding) => readonly Fix[];
  readonly apply: (fix: Fix) => void;
}

/** Findings that are listed. */
const shown = 50;

/** Findings of the query, each with its fixes. */
function FindingList({ findings, isWhole = false, fixesOf, apply }: FindingListProps) {
  const rest = findings.length - shown;
  const listed = findings.slice(0, shown).map((finding) => ({ finding, fixes: fixesOf(finding) }));
  const first = listed.find(({ fixes }) => 0 < fixes.length);
  return (
    <ul
      id={isWhole ? undefined : 'findings'}
      class="findings"
      aria-label={isWhole ? 'All findings' : 'Findings'}
    >
      {listed.map(({ finding, fixes }) => (
        <li key={`${finding.code}${finding.from}`} class={`finding finding-${finding.severity}`}>
          <span class="finding-severity">{finding.severity}</span>
          <span class="finding-message" title={visible(finding.message)}>
            {visible(finding.message)} <code class="finding-code">{finding.code}</code>
          </span>
          {fixes.slice(0, isWhole ? 3 : 1).map((fix, place) => (
            <button key={fix.title} type="button" class="small" onClick={() => apply(fix)}>
              <span class="fix-title">{visible(fix.title)}</span>
              {finding === first?.finding && place === 0 && <kbd>Alt Enter</kbd>}
            </button>
          ))}
        </li>
      ))}
      {0 < rest && <li class="finding">… and {rest} more</li>}
    </ul>
  );
}

/** Pause in typing before a query is explained, in milliseconds. */
const pause = 120;

/** Longest query that is explained, in UTF-16 units. */
const longest = 5000;

/** The server's reading of a query, once it is known; undefined if it says no more than the query. */
function useExplanation(text: string): Explanation | undefined {
  const schema = useSchema();
  const [explanation, setExplanation] = useState<Explanation>();
  useEffect(() => {
    const isReadable = text.trim() !== '' && text.length <= longest && parse(text).findings.length === 0;
    const timer = setTimeout(
      () => setExplanation(isReadable ? explain(parse(text).query, { schema, now: Date.now() }) : undefined),
      pause,
    );
    return () => clearTimeout(timer);
  }, [text, schema]);
  return explanation && explanation.text === text && saysMore(explanation) ? explanation : undefined;
}

interface ReadingProps {
  readonly text: string;
  readonly replace: (text: string) => void;
}

interface ReadingViewProps extends Pick<ReadingProps, 'replace'> {
  readonly explanation: Explanation | undefined;
}

/** The server's reading of the query, part by part, and the ways to write it so that nobody can misread it. */
function ReadingView({ explanation, replace }: ReadingViewProps) {
  const schema = useSchema();
  if (!explanation) return null;
  const differs = explanation.ordinary.same === false;
  const query = parse(explanation.text).query;
  const safe = explicit(query, { schema }).text;
  const ordinary = explicit(query, { schema, reading: 'ordinary' }).text;
  return (
    <section class="reading" aria-label="How the server reads it">
      <span class="reading-title">The server reads</span>
      <Level level={explanation.level} />
      {differs && (
        <span class="reading-difference">
          <span>Usual precedence selects other logs.</span>
          <button type="button" class="small" onClick={() => replace(safe)} title={safe}>
            Write as the server reads it
          </button>
          <button type="button" class="small" onClick={() => replace(ordinary)} title={ordinary}>
            Write as AND before OR
          </button>
        </span>
      )}
    </section>
  );
}

/** One part that must match needs no explanation. */
function saysMore({ level: { parts } }: Explanation): boolean {
  return (
    1 < parts.length || parts.some(({ taken, level }) => level || (taken !== 'must' && taken !== 'should'))
  );
}

function Level({ level }: { readonly level: ExplainedLevel }) {
  return (
    <ul class="reading-level">
      {level.parts.map((part) => (
        <li key={part.from} class={`reading-part reading-${part.taken}`}>
          <span class="reading-label">{effectLabel(level, part.taken)}</span>
          {part.level ? (
            <Level level={part.level} />
          ) : (
            <code title={visible(part.asks)}>{visible(part.text)}</code>
          )}
        </li>
      ))}
    </ul>
  );
}

interface HistoryDialogProps {
  readonly search: (query: string) => void;
  readonly close: () => void;
}

/** The earlier queries, with a field to find one. */
function HistoryDialog({ search, close }: HistoryDialogProps) {
  const [wanted, setWanted] = useState('');
  const found = readHistory().filter((each) => each.toLowerCase().includes(wanted.toLowerCase()));
  return (
    <Dialog title="History" close={close}>
      <input
        type="search"
        aria-label="Find a query"
        placeholder="Find a query"
        value={wanted}
        onInput={({ currentTarget }) => setWanted(currentTarget.value)}
      />
      <ul class="choices">
        {found.map((query) => (
          <li key={query}>
            <button
              type="button"
              class="choice"
              onClick={() => {
                search(query);
                close();
              }}
            >
              {visible(query)}
            </button>
          </li>
        ))}
      </ul>
      {found.length === 0 && <p class="note">No query yet.</p>}
    </Dialog>
  );
}

interface BuilderProps {
  readonly query: string;
  readonly search: (query: string) => void;
  readonly close: () => void;
}

const operators = {
  is: (field: string, value: string) => clauseFor(field, value),
  'is not': (field: string, value: string) => `NOT ${clauseFor(field, value)}`,
  'has the words': (field: string, value: string) => `${field}:${quote(value)}`,
  'is at least': (field: string, value: string) => `${field}:[${value} TO *]`,
  'is at most': (field: string, value: string) => `${field}:[* TO ${value}]`,
  'has a value': (field: string) => `${field}:*`,
} as const;

type Operator = keyof typeof operators;

const isOperator = (text: string): text is Operator => text in operators;

/** Adds a filter to the query by its field, operator and value. */
function BuilderDialog({ query, search, close }: BuilderProps) {
  const schema = useSchema();
  const [field, setField] = useState('logLevel');
  const [operator, setOperator] = useState<Operator>('is');
  const [value, setValue] = useState('');
  const [values, setValues] = useState<readonly CountedValue[]>([]);
  useEffect(() => {
    fetchValues(field).then(setValues, () => setValues([]));
  }, [field]);
  const needsValue = operator !== 'has a value';
  const clause = operators[operator](field, value);
  return (
    <Dialog title="Add a filter" close={close}>
      <div class="builder">
        <label>
          Field
          <select value={field} onChange={({ currentTarget }) => setField(currentTarget.value)}>
            {[...schema.fields.values()].map(({ name, about }) => (
              <option key={name} value={name} title={about}>
                {name}
              </option>
            ))}
          </select>
        </label>
        <label>
          Operator
          <select
            value={operator}
            onChange={({ currentTarget: { value: chosen } }) => isOperator(chosen) && setOperator(chosen)}
          >
            {Object.keys(operators).map((name) => (
              <option key={name}>{name}</option>
            ))}
          </select>
        </label>
        <label>
          Value
          <input
            list="builder-values"
            value={value}
            disabled={!needsValue}
            onInput={({ currentTarget }) => setValue(currentTarget.value)}
          />
        </label>
        <datalist id="builder-values">
          {values.map((each) => (
            <option key={String(each.value)} value={String(each.value)}>
              {formatNumber(each.count ?? 0)} logs
            </option>
          ))}
        </datalist>
      </div>
      <p class="note">
        Adds <code>{visible(clause)}</code>
      </p>
      <button
        type="button"
        class="primary"
        disabled={needsValue && value === ''}
        onClick={() => {
          search(addClause(query, clause));
          close();
        }}
      >
        Add and search
      </button>
    </Dialog>
  );
}

/** Searches that the case keeps: saves the present query with its times, opens and removes others. */
function SavedSearchesDialog({ close }: { readonly close: () => void }) {
  const { state, go } = usePage();
  const answer = useAnswer('searches', {}, useWritten());
  const { write, isWriting, error } = useWriter();
  const [name, setName] = useState('');
  const { q, from, to } = state;
  const save = async () => {
    const times = { ...(from !== undefined && { from }), ...(to !== undefined && { to }) };
    if (await write('saveSearch', { ofCase: 0, name: name.trim(), query: q, ...times })) setName('');
  };
  const interval = (first: number | undefined, last: number | undefined) => {
    const [start, end] = [first, last].map((time) =>
      time === undefined ? '…' : formatTime(time, state.zone),
    );
    return first === undefined && last === undefined ? '' : `${start} to ${end}`;
  };
  return (
    <Dialog title="Saved searches" close={close}>
      <form
        class="save-search"
        onSubmit={(event) => {
          event.preventDefault();
          void save();
        }}
      >
        <label>
          Save this search as
          <input
            type="text"
            required
            maxLength={200}
            value={name}
            onInput={({ currentTarget }) => setName(currentTarget.value)}
          />
        </label>
        <button type="submit" class="primary" disabled={isWriting || name.trim() === ''}>
          Save
        </button>
        <p class="note">
          <code>{visible(q === '' ? '*:*' : q)}</code> {interval(from, to)}
        </p>
      </form>
      {error !== undefined && (
        <p class="failure" role="alert">
          {error}
        </p>
      )}
      <StateNote answer={answer} doing="Reading" />
      <ul class="choices">
        {(answer.result ?? []).map((each) => (
          <li key={`${each.ofCase} ${each.name}`} class="saved-search">
            <button
              type="button"
              class="choice"
              onClick={() => {
                go({ q: each.query, from: each.from, to: each.to });
                close();
              }}
            >
              <strong>{visible(each.name)}</strong>{' '}
              <code>{visible(each.query === '' ? '*:*' : each.query)}</code> {interval(each.from, each.to)}{' '}
              <span class="note">{visible(each.author)}</span>
            </button>
            <button
              type="button"
              class="small"
              aria-label={`Remove ${visible(each.name)}`}
              disabled={isWriting}
              onClick={() => void write('removeSearch', { ofCase: each.ofCase, name: each.name })}
            >
              Remove
            </button>
          </li>
        ))}
      </ul>
      {answer.result?.length === 0 && <p class="note">No saved search yet.</p>}
    </Dialog>
  );
}

/** Most suggestions in the list. */
const limit = 30;

/** The suggestions at the cursor, and the chosen one. */
interface CompletionState {
  readonly completion: Completion | undefined;
  readonly chosen: number;
  readonly choose: (index: number) => void;
  /** Suggests what can stand at a cursor. */
  readonly suggest: (text: string, cursor: number) => void;
  readonly close: () => void;
}

/** Keeps the suggestions; an answer for an earlier text is dropped. */
function useCompletion(): CompletionState {
  const schema = useSchema();
  const [completion, setCompletion] = useState<Completion>();
  const [chosen, choose] = useState(-1);
  const last = useRef(0);
  /** What suggestions were last asked for, until they are closed. */
  const asked = useRef<{ readonly text: string; readonly cursor: number }>();
  const close = () => {
    last.current += 1;
    asked.current = undefined;
    setCompletion(undefined);
    choose(-1);
  };
  const suggest = (text: string, cursor: number) => {
    last.current += 1;
    const own = last.current;
    asked.current = { text, cursor };
    const service = serviceOf(text, schema);
    void fetchValuesAt(service, cursor).then((values) => {
      if (own !== last.current) return;
      const found = service.complete(cursor, values);
      setCompletion(found.suggestions.length === 0 ? undefined : found);
      choose(-1);
    });
  };
  // Who types before the fields of the server are known has them once they are.
  useEffect(() => {
    if (asked.current) suggest(asked.current.text, asked.current.cursor);
  }, [schema]);
  return { completion, chosen, choose, suggest, close };
}

/** Most values of a field that completion knows. */
const fetchedValues = 200;

const known = new Map<string, Promise<readonly CountedValue[]>>();

/** Fields whose values the server can count. */
const countable = new Set([
  ...['logLevel', 'logCode', 'source', 'username', 'className', 'methodName', 'serviceTypes'],
  ...['machine', 'process', 'thread'],
]);

/** The values of a field in all logs with their counts, the most frequent first; asked for once. */
function fetchValues(field: string): Promise<readonly CountedValue[]> {
  const key = field + sourcesQuery();
  const found = known.get(key) ?? (countable.has(field) ? count(field) : Promise.resolve([]));
  known.set(key, found);
  found.catch(() => known.delete(key));
  return found;
}

async function count(field: string): Promise<readonly CountedValue[]> {
  const fields = [field] as Parameters<typeof streamFromServer<'facets'>>[1]['fields'];
  const parameters = { query: '', now: 0, fields, limit: fetchedValues };
  for await (const { values } of streamFromServer('facets', parameters, new AbortController().signal))
    return values.flatMap(({ value, count }) => (value === undefined ? [] : [{ value, count }]));
  return [];
}

/** The values that can stand at a cursor, by their field. */
async function fetchValuesAt(
  service: LanguageService,
  cursor: number,
): Promise<ReadonlyMap<string, readonly CountedValue[]>> {
  const wanted = service.wantedValues(cursor);
  if (!wanted) return new Map();
  return new Map([[wanted.field.name, await fetchValues(wanted.field.name).catch(() => [])]]);
}

interface CompletionListProps {
  readonly id: string;
  readonly completion: Completion;
  /** Index of the chosen suggestion; -1 for none. */
  readonly chosen: number;
  readonly accept: (index: number) => void;
}

/** The suggestions below the query. */
export function CompletionList({ id, completion, chosen, accept }: CompletionListProps) {
  return (
    <ul id={id} class="completion" role="listbox" aria-label="Suggestions">
      {completion.suggestions.map(({ kind, label, detail }, index) => (
        <li
          key={`${kind}${label}`}
          id={`${id}-${index}`}
          role="option"
          aria-selected={index === chosen}
          class={`completion-item completion-${kind}`}
          ref={(item) => {
            if (index === chosen) item?.scrollIntoView({ block: 'nearest' });
          }}
          onMouseDown={(event) => {
            event.preventDefault();
            accept(index);
          }}
        >
          <span class="completion-label">{visible(label)}</span>
          <span class="completion-detail">{visible(detail)}</span>
        </li>
      ))}
    </ul>
  );
}
