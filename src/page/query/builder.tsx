import { useEffect, useState } from 'preact/hooks';
import type { CountedValue } from '../../language/index.ts';
import { quote } from '../../language/index.ts';
import { formatNumber } from '../format/numbers.ts';
import { visible } from '../format/visible.ts';
import { Dialog } from '../parts/dialog.tsx';
import { useSchema } from '../state/use-schema.ts';
import { addClause, clauseFor } from './clauses.ts';
import { fetchValues } from './fetch-values.ts';

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
export function BuilderDialog({ query, search, close }: BuilderProps) {
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
