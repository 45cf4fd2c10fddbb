import { expect, test } from 'vitest';
import { hideIn, keepSecrets } from '../../src/client/transport.ts';

function hideWith(...list: readonly string[]): (text: string) => string {
  const secrets = keepSecrets();
  for (const secret of list) secrets.add(secret);
  return secrets.hide;
}

test.each([
  [
    ['correct horse'],
    'not "correct horse" nor correct%20horse nor correct+horse',
    'not "[hidden]" nor [hidden] nor [hidden]',
  ],
  [['abcdefgh', 'abcdefghijkl'], 'xabcdefghijklx', 'x[hidden]x'],
  [['admin'], 'admin, not administrator: (admin)', '[hidden], not administrator: ([hidden])'],
  [['a.*b'], 'a.*b axxb', '[hidden] axxb'],
  [['"quoted" word'], 'in JSON: \\"quoted\\" word', 'in JSON: [hidden]'],
  [[''], 'nothing to hide', 'nothing to hide'],
])('%j is taken out of %s', (secrets, text, shorn) => {
  expect(hideWith(...secrets)(text)).toBe(shorn);
});

test('an address goes on working, even when its path is a word that is also a password', () => {
  const hide = hideWith('admin', 'tok/en+value==');
  const body = {
    jobsUrl: 'https://h/arcgis/admin/jobs/j1?token=tok%2Fen%2Bvalue%3D%3D',
    result: { URL: 'https://store/b/x.zip?X-Sig=a%2Fb%20c' },
    messages: ['no admin', 7, null],
  };
  expect(hideIn(body, hide)).toEqual({
    jobsUrl: 'https://h/arcgis/admin/jobs/j1',
    result: body.result,
    messages: ['no [hidden]', 7, null],
  });
});
