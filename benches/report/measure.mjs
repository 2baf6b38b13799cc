// How long a browser takes for pages: `node measure.mjs CHROMIUM PLAYWRIGHT_FOLDER PAGE…` prints a line of JSON for each.
//
// All times are milliseconds and medians. `load` and `paint` are the load event and the first paint after the start of
// the navigation, `shown` is two frames after the load event, when all that is visible is drawn. `first` is from the first
// input in the filter to the second frame after it, `handler` the part of it in the page's own script, and `all` the same
// as `first` for an empty filter, which shows all rows again. `idle` is the floor of `first`: two frames without work.

import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';

const ROUNDS = 5;
const FLAGS = ['--headless', '--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run',
  '--disable-background-networking', '--disable-component-update', '--disable-sync'];

const [executablePath, folder, ...pages] = process.argv.slice(2);
const { chromium } = createRequire(`${folder}/package.json`)('playwright-core');

const median = (numbers) => numbers.sort((a, b) => a - b)[Math.floor(numbers.length / 2)];

// In the page: notes when the second frame after the load event begins.
const note = () => addEventListener('load', () => requestAnimationFrame(() => requestAnimationFrame(() => {
  window.shownAt = performance.now();
})));

const opened = () => {
  const [navigation] = performance.getEntriesByType('navigation');
  const [paint] = performance.getEntriesByName('first-paint');
  return window.shownAt && paint && { load: navigation.loadEventEnd, paint: paint.startTime, shown: window.shownAt };
};

// In the page: filters by the name in the last row of its first table, shows all again, and does nothing.
const filtered = async () => {
  const rows = document.querySelector('table.filtered').tBodies[0].rows;
  const name = rows[rows.length - 1].querySelector('code, a, th').textContent;
  const filter = document.getElementById('filter');
  const frame = () => new Promise(requestAnimationFrame);
  const timed = async (work) => {
    await frame();
    const start = performance.now();
    work();
    const handler = performance.now() - start;
    await frame();
    await frame();
    return [performance.now() - start, handler];
  };
  const input = (value) => () => { filter.value = value; filter.dispatchEvent(new Event('input', { bubbles: true })); };
  filter.focus();
  const [first, handler] = await timed(input(name));
  const left = [...rows].filter((row) => !row.hidden).length;
  if (left !== 1) throw new Error(`the filter leaves ${left} rows of ${name}`);
  const [all] = await timed(input(''));
  const [idle] = await timed(() => {});
  return { first, handler, all, idle };
};

const browser = await chromium.launch({ executablePath, args: FLAGS });
for (const file of pages) {
  const rounds = [];
  // The first round starts the browser's own parts, and does not count.
  for (let round = 0; round <= ROUNDS; round += 1) {
    const context = await browser.newContext({ viewport: { width: 1280, height: 800 } });
    const page = await context.newPage();
    await page.addInitScript(note);
    await page.goto(pathToFileURL(file).href, { timeout: 120_000 });
    const times = await (await page.waitForFunction(opened, null, { timeout: 120_000 })).jsonValue();
    if (round > 0) rounds.push({ ...times, ...await page.evaluate(filtered) });
    await context.close();
  }
  const medians = Object.keys(rounds[0]).map((name) => [name, median(rounds.map((times) => times[name]))]);
  console.log(JSON.stringify(Object.fromEntries(medians)));
}
await browser.close();
