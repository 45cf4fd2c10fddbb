import { expect, test } from 'vitest';
import { documentedSchema, readSchema } from '../../src/language/meaning/schema.ts';

test('its fields replace and join the documented ones', () => {
  const read = readSchema({
    fields: [
      { name: 'logLevel', type: 'keyword', values: ['SEVERE', 'OFF'] },
      { name: 'tenant', type: 'keyword', about: 'whose request it was' },
    ],
    defaults: ['msg', 'tenant'],
  });
  if (!('schema' in read)) throw new Error(read.problem);
  expect(read.schema.fields.get('logLevel')).toEqual({
    name: 'logLevel',
    type: 'keyword',
    about: '',
    values: ['SEVERE', 'OFF'],
  });
  expect(read.schema.fields.get('msg')).toEqual(documentedSchema.fields.get('msg'));
  expect(read.schema.defaults.map(({ name }) => name)).toEqual(['msg', 'tenant']);
});

test('the documented default fields stay where none are given', () => {
  const read = readSchema({ fields: [{ name: 'source', type: 'keyword' }] });
  if (!('schema' in read)) throw new Error(read.problem);
  expect(read.schema.defaults.map(({ name, type }) => [name, type])).toEqual(
    documentedSchema.defaults.map(({ name, type }) => [name, name === 'source' ? 'keyword' : type]),
  );
});

test.each([
  [{}, 'At "fields": Invalid key: Expected "fields" but received undefined'],
  [{ fields: [] }, 'At "fields": The list of fields is empty'],
  [{ fields: [{ name: '', type: 'text' }] }, 'At "fields.0.name": A field requires a name'],
  [
    { fields: [{ name: 'a', type: 'number' }] },
    'At "fields.0.type": A field requires a type: "text", "keyword", "integer", "decimal" or "date"',
  ],
  [{ fields: [{ name: 'a', type: 'text' }], defaults: ['b'] }, 'At "defaults": there is no field "b"'],
  ['x', 'Invalid type: Expected Object but received "x"'],
])('%j is refused with the place and the reason', (data, problem) => {
  expect(readSchema(data)).toEqual({ problem });
});
