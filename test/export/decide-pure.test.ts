import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

const folder = 'src/export/decide';
const imports = readdirSync(folder).flatMap((name) =>
  [...readFileSync(`${folder}/${name}`, 'utf8').matchAll(/^import (type )?[^;]*? from '([^']+)';/gm)].map(
    ([, type, from = '']) => ({ name, isType: type !== undefined, from }),
  ),
);

test('decisions import types only from outside their folder, and no module of Node', () => {
  expect(imports.length).toBeGreaterThan(10);
  const impure = imports.filter(
    ({ isType, from }) => !isType && !from.startsWith('./') && from !== 'valibot',
  );
  expect(impure).toEqual([]);
});
