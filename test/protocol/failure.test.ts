import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type Failure, type FailureShape, failureOf, toFailureBody } from '../../src/protocol/reply.ts';

const details = ['The user "ada" has no privilege'];

describe('the shapes in which deployments write a failure', () => {
  test.each([
    [{ error: { code: 498, message: 'Invalid token.', details: [] } }, 498, 'Invalid token.', []],
    [{ error: { code: 403, message: 'No.', details } }, 403, 'No.', details],
    [{ error: { code: 403, message: 'No.', details: details[0] } }, 403, 'No.', details],
    [{ error: { code: '400', message: 'Bad.', details: null } }, 400, 'Bad.', []],
    [{ error: { message: 'Bad.' } }, undefined, 'Bad.', []],
    [{ error: { code: {}, message: 'Bad.' } }, undefined, 'Bad.', []],
    [{ error: {} }, undefined, '', []],
    [{ error: 'Bad.' }, undefined, 'Bad.', []],
    [{ status: 'error', messages: ['One.', 'Two.'] }, undefined, 'One.', ['Two.']],
    [{ status: 'error', messages: [{ message: 'One.' }, 7], code: 500 }, 500, 'One.', []],
    [{ status: 'failed', statusMessage: 'Bad.' }, undefined, 'Bad.', []],
    [{ status: 'failure', statusMessage: 'Bad.' }, undefined, 'Bad.', []],
    [{ success: false }, undefined, '', []],
    [{ success: false, message: 'Bad.' }, undefined, 'Bad.', []],
  ])('%j', (body, code, message, said) => {
    expect(failureOf(body)).toEqual({ ...(code !== undefined && { code }), message, details: said });
  });

  test.each([
    [{ status: 'SUBMITTED', jobid: 'j1', jobsUrl: 'https://h/j1' }],
    [{ status: 'FAILED', jobid: 'j1', messages: ['Bad.'] }],
    [{ status: 'success' }],
    [{ status: { state: 'failed', code: 2 } }],
    [{ success: true }],
    [{ error: null, token: 'x' }],
    [{}],
    [[]],
    [null],
    ['error'],
    [498],
  ])('%j is no failure', (body) => {
    expect(failureOf(body)).toBeUndefined();
  });
});

test('a failure in any shape is known again, with its code and what it says', () => {
  const text = fc.stringMatching(/^[A-Za-z0-9][A-Za-z0-9 .]*$/);
  const failure = fc.record(
    { code: fc.integer(), message: text, details: fc.array(text) },
    { requiredKeys: ['message', 'details'] },
  );
  const shape = fc.constantFrom<FailureShape>('error', 'status error', 'status failed', 'success false');
  fc.assert(
    fc.property(failure, shape, (original, written) => {
      const read = failureOf(JSON.parse(JSON.stringify(toFailureBody(original, written))));
      expect(read?.code).toBe(original.code);
      const said = (words: Failure) => [words.message, ...words.details].join('; ');
      expect(read && said({ ...original, ...read })).toBe(said(original));
    }),
  );
});

test('no value makes it throw', () => {
  fc.assert(
    fc.property(
      fc.jsonValue({ maxDepth: 4 }),
      fc.constantFrom('error', 'status', 'success', 'messages'),
      (value, key) => {
        failureOf(value);
        failureOf({ [key]: value });
      },
    ),
  );
});
