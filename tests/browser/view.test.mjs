// The page that grader serves while a run goes on.

import assert from 'node:assert/strict';
import fs from 'node:fs';
import http from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';

import { Workspace, cell, check, letters, once } from './grader.mjs';

const TESTS = 30;
const [A, B] = ['accepted/a.sh', 'accepted/b.sh'];
const WRONG = 'WA'.repeat(TESTS / 2), RIGHT = 'A'.repeat(TESTS);

/** Two submissions, of which the first is wrong. Each test waits until the file `upto` has its number. */
const slow = once(() => {
  const workspace = new Workspace();
  const wait = (before) => `read n\nat=$((n + ${before}))\n` +
    `while read upto < ${workspace.path('upto')}; [ "$upto" -lt $at ]; do sleep 0.02; done\n`;
  const cases = {};
  for (let n = 1; n <= TESTS; n += 1) cases[`secret/${String(n).padStart(2, '0')}`] = [`${n}\n`, `${n}\n`];
  return workspace.problem('echo', `limits.time_limit = 20\nlimits.wall_limit = 60\nreference = "${B}"\n`, cases, {
    [`submissions/${A}`]: `${wait(0)}echo $((n - n % 2))\n`,
    [`submissions/${B}`]: `${wait(TESTS)}echo $n\n`,
  });
});
const allow = (upto) => {
  // A reader sees the old number or the new one.
  slow().file('upto.new', `${upto}\n`);
  fs.renameSync(slow().path('upto.new'), slow().path('upto'));
};
const until = async (what, holds) => {
  for (let tries = 0; tries < 500; tries += 1) {
    if (await holds()) return;
    await pause(20);
  }
  assert.fail(`never: ${what}`);
};
/** Starts a run that waits for its first test, and opens its page. */
const start = async () => {
  allow(0);
  const server = await slow().serve(['run', '--no-cache', '-j', '1', '--view']);
  const page = await server.open();
  await page.locator('tr.waiting').first().waitFor();
  return { server, page };
};
const results = async (page, name) => (await letters(page))[name].replaceAll('·', '');
const aIsDone = async (page) => {
  allow(TESTS);
  await page.locator('tr.missed').waitFor({ state: 'attached' });
};

check('the page fills while the run goes on, becomes the finished page, and says when grader has ended', async () => {
  const { server, page } = await start();
  assert.equal(await page.locator('h1').textContent(), 'the run goes on');
  const mood = (at) => at.locator('h1').getAttribute('class');
  assert.equal(await mood(page), 'plain', 'nothing has failed');
  for (const upto of [10, 20]) {
    allow(upto);
    await until(`${upto} letters`, async () => await results(page, A) === WRONG.slice(0, upto));
    assert.equal(await results(page, B), '');
    await until('the number of results', async () => await page.locator('#progress').textContent() ===
      `${upto} results so far, 0 of 2 submissions finished`);
  }
  const late = await server.open();
  assert.equal(await results(late, A), WRONG.slice(0, 20), 'a page that is opened later has what is known');
  assert.equal(await late.locator('#progress').textContent(), '20 results so far, 0 of 2 submissions finished');
  allow(2 * TESTS);
  for (const shown of [page, late]) {
    await shown.getByRole('heading', { name: '1 as expected, 1 unexpected' }).waitFor();
    assert.deepEqual(await letters(shown), { [A]: WRONG, [B]: RIGHT });
    assert.equal(await shown.locator('.chart svg').first().isVisible(), true);
    assert.deepEqual(shown.faults, []);
  }
  assert.equal(await server.end(), 1);
  await page.getByText('grader has ended').waitFor();
});

check('a failure is explained as soon as its submission is done; Ctrl-C ends the run', async () => {
  const { server, page } = await start();
  allow(3);
  await until('3 letters', async () => await results(page, A) === 'WAW');
  await cell(page, A, 1).click();
  assert.match(await page.locator('#case-facts').textContent(), /^accepted, \d+\.\d+ s, \d+\.\d MiB$/);
  await page.keyboard.press('Escape');
  await cell(page, A, 3).click();
  assert.match(await page.locator('dialog').textContent(), /not run[^]*the run is not over/);
  await page.keyboard.press('Escape');
  await aIsDone(page);
  await until('the result of the submission in the title and below', async () =>
    await page.locator('h1').getAttribute('class') === 'attention' &&
    / results so far, 1 of 2 submissions finished, 1 needs a look$/.test(await page.locator('#progress').textContent()));
  await cell(page, A, 0).click();
  const said = await page.locator('dialog').textContent();
  assert.match(said, /expected `1`, got `0`[^]*grader run echo -s accepted.a\.sh -t secret.01/);
  assert.deepEqual(page.faults, []);
  assert.equal(await server.end(), 130);
  await page.getByText('grader has ended').waitFor();
});

check('a filter holds for what arrives later', async () => {
  const { server, page } = await start();
  await page.locator('#filter').fill('b.sh');
  await aIsDone(page);
  assert.equal(await page.locator('tr.missed').isVisible(), false, 'a row that does not fit stays hidden');
  await page.locator('#filter').fill('waiting');
  assert.equal(await page.locator('tr.missed').isVisible(), false, 'the filter knows the new result');
  assert.equal(await page.locator('tr.waiting').isVisible(), true);
  await server.end();
});

check('the keyboard keeps its place when a row arrives', async () => {
  const { server, page } = await start();
  const stops = () => page.locator('table.grid [tabindex="0"]').evaluateAll((cells) =>
    cells.map((at) => `${at.closest('tr').id} ${at.cellIndex - 4}`));
  await page.locator('table.grid td[tabindex="0"]').focus();
  await page.keyboard.press('ArrowRight');
  await aIsDone(page);
  assert.equal(await page.evaluate(() => document.activeElement.cellIndex), 5, 'the focus stays');
  await page.keyboard.press('ArrowRight');
  assert.deepEqual(await stops(), ['r0 2'], 'the map is one stop');
  await server.end();
});

check('the map can be reached by the keyboard after a row has arrived', async () => {
  const { server, page } = await start();
  await aIsDone(page);
  assert.equal(await page.locator('table.grid td[tabindex="0"]').count(), 1);
  await server.end();
});

/** The status and the headers of an answer. */
const ask = (address, options = {}) => new Promise((resolve, reject) => {
  const request = http.request(address, options, (answer) => {
    answer.resume();
    answer.on('end', () => resolve({ status: answer.statusCode, headers: answer.headers }));
  });
  request.on('error', reject).end();
});

check('only who knows the address gets an answer, from this machine alone, and nothing can be sent', async () => {
  const server = await slow().serve(['view']);
  const { address } = server, { origin, pathname, port } = new URL(address);
  const status = async (...request) => (await ask(...request)).status;
  const { headers, ...found } = await ask(address);
  assert.deepEqual(found, { status: 200 });
  assert.match(headers['content-security-policy'], /^default-src 'none'; script-src 'sha256-[^']+'; .*frame-ancestors 'none'$/);
  assert.equal(headers['cache-control'], 'no-store');
  assert.equal(headers['x-content-type-options'], 'nosniff');
  for (const path of ['/', '/favicon.ico', `/${'0'.repeat(32)}/`, `${pathname}x`, `${pathname}students/..%2f`]) {
    assert.equal(await status(`${origin}${path}`), 404, path);
  }
  for (const host of ['example.org', `example.org:${port}`, '127.0.0.1', `[::1]:${port}`]) {
    assert.equal(await status(address, { headers: { host } }), 421, host);
  }
  assert.equal(await status(address, { headers: { host: `localhost:${port}` } }), 200);
  assert.equal(await status(address, { headers: { origin: 'http://example.org' } }), 403);
  assert.equal(await status(address, { headers: { 'sec-fetch-site': 'cross-site' } }), 403);
  for (const method of ['POST', 'PUT', 'DELETE', 'OPTIONS']) assert.equal(await status(address, { method }), 405, method);
  assert.equal(await status(`${address}changes?since=x`), 400);
  // Where the kernel says that somebody listens (state 0A) at this port.
  const sockets = ['tcp', 'tcp6'].flatMap((family) => fs.readFileSync(`/proc/net/${family}`, 'utf8').split('\n'));
  const listening = sockets.map((line) => line.trim().split(/[\s:]+/))
    .filter(([, , at, , , state]) => state === '0A' && parseInt(at, 16) === Number(port)).map(([, ip]) => ip);
  assert.deepEqual(listening, ['0100007F']);
  assert.equal(await server.end(), 0);
});
