import { describe, expect, test } from 'vitest';
import { openPaging } from '../../src/cli/command-line/command.ts';
import { ClosedPipe, pagerCommand, startPager, type Terminal } from '../../src/cli/terminal/terminal.ts';
import { toStyle } from '../../src/cli/terminal/text.ts';

/** A terminal of ten rows that records what it and its pager show, in order. */
function recorded(options: { isInstalled?: boolean; leavesAfter?: number } = {}) {
  const { isInstalled = true, leavesAfter = Number.POSITIVE_INFINITY } = options;
  const seen: string[] = [];
  const face = { width: 20, style: toStyle(false) };
  let pages = 0;
  const terminal: Terminal = {
    print: async (text) => void seen.push(`print ${text}`),
    message: (line) => void seen.push(`say ${line}`),
    show: () => {},
    async *input() {},
    async *inputBytes() {},
    stdout: face,
    stderr: face,
    environment: {},
    interruption: () => new AbortController().signal,
    pager: {
      rows: () => 10,
      start: (command) => {
        if (!isInstalled) return undefined;
        seen.push(`start ${command}`);
        return {
          async write(text) {
            if (leavesAfter <= pages++) throw new ClosedPipe('');
            seen.push(`page ${text}`);
          },
          end: async () => void seen.push('end'),
        };
      },
    },
  };
  return { terminal, seen };
}

describe('output for a person', () => {
  test('of one screen is printed as it is, before the messages about it', async () => {
    const { terminal, seen } = recorded();
    const paged = openPaging(terminal);
    paged.terminal.message('loading');
    await paged.terminal.print('a\n'.repeat(5));
    await paged.terminal.print('b\n'.repeat(4));
    paged.terminal.message('9 logs');
    await paged.end();
    expect(seen).toEqual(['say loading', `print ${'a\n'.repeat(5)}${'b\n'.repeat(4)}`, 'say 9 logs']);
  });

  test('of more goes to a pager, and messages come after it', async () => {
    const { terminal, seen } = recorded();
    const paged = openPaging(terminal);
    await paged.terminal.print('a\n'.repeat(9));
    paged.terminal.message('a message');
    await paged.terminal.print('b\n'.repeat(2));
    await paged.terminal.print('c\n');
    await paged.end();
    const first = 'a\n'.repeat(9) + 'b\n'.repeat(2);
    expect(seen).toEqual(['start less', `page ${first}`, 'page c\n', 'end', 'say a message']);
  });

  test('counts wrapped lines and no colours', async () => {
    const wrapped = recorded();
    const first = openPaging(wrapped.terminal);
    await first.terminal.print(`${'x'.repeat(200)}\n`);
    await first.end();
    expect(wrapped.seen[0]).toBe('start less');
    const coloured = recorded();
    const second = openPaging(coloured.terminal);
    await second.terminal.print(`${toStyle(true).red('x')}\n`.repeat(9));
    await second.end();
    expect(coloured.seen).toHaveLength(1);
  });

  test('is printed where no pager is installed', async () => {
    const { terminal, seen } = recorded({ isInstalled: false });
    const paged = openPaging(terminal);
    await paged.terminal.print('a\n'.repeat(20));
    await paged.terminal.print('b\n');
    await paged.end();
    expect(seen).toEqual([`print ${'a\n'.repeat(20)}`, 'print b\n']);
  });

  test('ends where its reader leaves the pager', async () => {
    const { terminal, seen } = recorded({ leavesAfter: 1 });
    const paged = openPaging(terminal);
    await paged.terminal.print('a\n'.repeat(20));
    await expect(paged.terminal.print('b\n')).rejects.toThrow(ClosedPipe);
    await paged.end();
    expect(seen.at(-1)).toBe('end');
  });
});

test.each([
  [{}, 'less'],
  [{ PAGER: 'more' }, 'more'],
  [{ PAGER: 'more', LOGQUARRY_PAGER: 'less -S' }, 'less -S'],
  [{ PAGER: '' }, undefined],
  [{ PAGER: 'cat' }, undefined],
])('the pager of %j is %s', (environment, command) => {
  expect(pagerCommand(environment)).toBe(command);
});

describe('a pager that', () => {
  const { PATH = '' } = process.env;

  test('leaves at once ends the output, however much is left', async () => {
    const pager = startPager('exit 0', { PATH });
    const write = async () => {
      for (let count = 0; count < 10_000; count += 1) await pager?.write('x'.repeat(10_000));
    };
    await expect(write()).rejects.toThrow(ClosedPipe);
    await pager?.end();
  });

  test('reads all is waited for', async () => {
    const pager = startPager('sleep 0.2; cat > /dev/null', { PATH });
    const begun = performance.now();
    await pager?.write('x'.repeat(500_000));
    await pager?.end();
    expect(performance.now() - begun).toBeGreaterThan(150);
  });

  test('is not installed is none', () => {
    expect(startPager('no-such-pager-anywhere -R', { PATH })).toBeUndefined();
  });
});
