import { frequentPhrase, word } from '../search/varied-logs.mjs';
import { residentMemory } from './processes.mjs';

/** Longest wait for an answer, milliseconds. */
const patience = 120_000;

/**
 * Measures one round in a new page, and adds a sample for each step: milliseconds of wall time and of the processors of the
 * server and the page. The last sample, `page`, has its memory in MB.
 */
export async function roundOf({ browser, server, count, round, add }) {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 } });
  const page = await context.newPage();
  page.setDefaultTimeout(patience);
  await page.addInitScript(watch);
  const session = await browser.newBrowserCDPSession();
  const processors = async () => ({ server: server.processor(), page: await pageProcessor(session) });
  const begin = await processors();
  await page.goto(server.url);
  const logs = await page.evaluate(() => globalThis.bench.shown());
  add('address to first paint', { wall: await page.evaluate(() => globalThis.bench.firstPaint()) });
  add('address to histogram and table', { wall: logs, ...difference(begin, await processors()) });
  const facets = await page.evaluate(() => globalThis.bench.facets());
  add('address to all fields at the left', { wall: facets, ...difference(begin, await processors()) });
  const step = stepper({ page, processors, add });
  await typing({ page, round, add });
  const questions = [
    ['rare word', word(20_000 + 7 * round)],
    ['medium word', word(700 + 3 * round)],
    ['frequent word', word(4 + round)],
    [
      'phrase',
      `msg:"${frequentPhrase()
        .split(' ')
        .slice(round % 3, 2 + (round % 3))
        .join(' ')}"`,
    ],
    ['boolean', `logLevel:WARNING AND NOT ${word(10 + round)} AND logCode:[${5000 + 20 * round} TO 8000]`],
  ];
  for (const [name, query] of questions) {
    await page.locator('#query').fill(query);
    await page.locator('#query').press('Escape');
    await step(
      `Enter to histogram and table: ${name}`,
      () => globalThis.bench.searched(),
      () => page.keyboard.press('Enter'),
    );
  }
  await page.locator('#query').fill('');
  await page.keyboard.press('Enter');
  await page.evaluate(() => globalThis.bench.shown());
  await scrolling({ page, count, step, round, add });
  const resident = (await renderers(session)).map(({ id }) => residentMemory(id, 'VmHWM'));
  await session.detach();
  const client = await context.newCDPSession(page);
  await client.send('HeapProfiler.collectGarbage');
  const { usedSize } = await client.send('Runtime.getHeapUsage');
  add('page', { heap: usedSize / 1e6, resident: Math.max(...resident) });
  await context.close();
}

/** The processes that draw pages, with their processor time in seconds. */
async function renderers(session) {
  const { processInfo } = await session.send('SystemInfo.getProcessInfo');
  return processInfo.filter(({ type }) => type === 'renderer');
}

/** Processor time of the processes that draw pages, milliseconds. One page is open at a time. */
async function pageProcessor(session) {
  return (await renderers(session)).reduce((sum, { cpuTime }) => sum + cpuTime * 1000, 0);
}

function difference(begin, end) {
  return { server: end.server - begin.server, page: end.page - begin.page };
}

/** Makes a function that acts, waits in the page until an answer is painted, and adds the sample. */
function stepper({ page, processors, add }) {
  return async (name, painted, act = () => undefined) => {
    const begin = await processors();
    await page.evaluate(() => globalThis.bench.begin());
    const end = page.evaluate(painted);
    await act();
    const wall = await end;
    add(name, { wall, ...difference(begin, await processors()) });
  };
}

/** Types a query with findings; each key is a sample. */
async function typing({ page, round, add }) {
  await page.locator('#query').fill('');
  await page.evaluate(() => globalThis.bench.watchKeys());
  for (const key of `levle:SEVERE OR msg:"timed out" AND ${word(round)}`) await page.keyboard.press(key);
  for (const wall of await page.evaluate(() => globalThis.bench.keys())) add('key to findings', { wall });
}

/** Jumps to the middle of all logs and to other places, then turns the wheel. */
async function scrolling({ page, count, step, round, add }) {
  const jump = (share) => page.evaluate((to) => globalThis.bench.jump(to), share);
  const arrived = () => globalThis.bench.rows();
  await step('scroll to the middle', arrived, () => jump(0.5));
  for (const share of [0.1, 0.9, 0.3 + round / 50])
    await step('scroll elsewhere', arrived, () => jump(share));
  const box = await page.locator('.log-table').boundingBox();
  await page.mouse.move(box.x + 200, box.y + 200);
  await page.evaluate(() => globalThis.bench.watchFrames());
  for (let turn = 0; turn < Math.min(40, count / 100); turn += 1) await page.mouse.wheel(0, 240);
  for (const wall of await page.evaluate(() => globalThis.bench.frames()))
    add('frame while the wheel turns', { wall });
}

/** Runs in the page before its own script: measures until a state is painted. */
function watch() {
  const painted = () =>
    new Promise((resolve) => {
      requestAnimationFrame(() => {
        const { port1, port2 } = new MessageChannel();
        port1.onmessage = () => resolve(performance.now());
        port2.postMessage(0);
      });
    });
  const until = async (isThere) => {
    for (;;) {
      const time = await painted();
      if (isThere()) return time;
    }
  };
  const one = (selector) => document.querySelector(selector);
  const hasRows = () => {
    const table = one('.log-table');
    if (!table || table.closest('.stale') || table.classList.contains('stale')) return false;
    const { top, bottom } = one('.log-scroll').getBoundingClientRect();
    const inSight = [...document.querySelectorAll('.log-row')].filter((row) => {
      const { y } = row.getBoundingClientRect();
      return top + 27 <= y && y < bottom - 26;
    });
    return 0 < inSight.length && inSight.every((row) => row.querySelector('.cell-time')?.textContent !== '');
  };
  const hasCount = () => /\d/.test(one('.results-count')?.textContent ?? '') && !one('.stale .histogram');
  let begin = 0;
  let isAsked = false;
  // An answer is new once the count of the one before was taken away.
  let isCleared = false;
  new MutationObserver(() => {
    if (isAsked && one('.results-count')?.textContent === '') isCleared = true;
  }).observe(document, { subtree: true, childList: true, characterData: true });
  let keyTimes = [];
  let frameTimes = [];
  let isWatching = false;
  globalThis.bench = {
    begin() {
      isAsked = false;
      isCleared = false;
      addEventListener(
        'keydown',
        ({ timeStamp }) => {
          begin = timeStamp;
          isAsked = true;
        },
        { capture: true, once: true },
      );
    },
    firstPaint: () => performance.getEntriesByName('first-contentful-paint')[0]?.startTime,
    shown: () => until(() => hasCount() && hasRows()),
    searched: async () =>
      (await until(() => isCleared && hasCount() && (hasRows() || one('.empty')))) - begin,
    facets: () =>
      until(() => [...document.querySelectorAll('.facet h2')].some((each) => each.textContent === 'thread')),
    jump(share) {
      const scroll = one('.log-scroll');
      begin = performance.now();
      scroll.scrollTop = share * (scroll.scrollHeight - scroll.clientHeight);
      isAsked = true;
    },
    rows: async () => (await until(() => isAsked && hasRows())) - begin,
    watchKeys() {
      keyTimes = [];
      addEventListener('keydown', ({ timeStamp }) => {
        const target = one('#query');
        keyTimes.push(
          until(() => one('.editor-paint').textContent === `${target.value}\n`).then(
            (time) => time - timeStamp,
          ),
        );
      });
    },
    keys: () => Promise.all(keyTimes),
    watchFrames() {
      frameTimes = [];
      isWatching = true;
      let last;
      const next = (now) => {
        if (last !== undefined) frameTimes.push(now - last);
        last = now;
        if (isWatching) requestAnimationFrame(next);
      };
      requestAnimationFrame(next);
    },
    frames() {
      isWatching = false;
      return frameTimes;
    },
  };
}
