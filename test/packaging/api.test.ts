import { expect, test } from 'vitest';
import { apiReports } from '../../packaging/api.ts';

// `npm run api` builds the declarations and writes the reports where they differ.
test.each([...apiReports()])('api/%s lists what a program can import', async (file, report) => {
  await expect(report).toMatchFileSnapshot(`../../api/${file}`);
});
