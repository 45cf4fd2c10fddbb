import { useEffect, useState } from 'preact/hooks';
import {
  type ExplainedLevel,
  type Explanation,
  explain,
  explicit,
  type PartEffect,
  parse,
} from '../../language/index.ts';
import { visible } from '../format/visible.ts';
import { useSchema } from '../state/use-schema.ts';

interface ReadingProps {
  readonly text: string;
  readonly replace: (text: string) => void;
}

const labels: { readonly [T in PartEffect]: string } = {
  must: 'must match',
  should: 'one of these must match',
  mustNot: 'must not match',
  filtersNothing: 'filters nothing',
  vanishes: 'vanishes',
};

/** Pause in typing before a query is explained, in milliseconds. */
const pause = 120;

/** Longest query that is explained, in UTF-16 units. */
const longest = 5000;

/** The server's reading of the query, part by part, and the ways to write it so that nobody can misread it. */
export function ReadingView({ text, replace }: ReadingProps) {
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
  if (!explanation || explanation.text !== text || !saysMore(explanation)) return null;
  const differs = explanation.ordinary.same === false;
  const query = parse(text).query;
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

function Level({ level: { parts } }: { readonly level: ExplainedLevel }) {
  const alternatives = parts.filter(({ taken }) => taken === 'should').length;
  return (
    <ul class="reading-level">
      {parts.map((part) => (
        <li key={part.from} class={`reading-part reading-${part.taken}`}>
          <span class="reading-label">
            {part.taken === 'should' && alternatives === 1 ? labels.must : labels[part.taken]}
          </span>
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
