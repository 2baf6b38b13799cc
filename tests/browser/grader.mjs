// Workspaces, runs of the binary under test, and pages in a browser.

import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { after, test } from 'node:test';
import { fileURLToPath, pathToFileURL } from 'node:url';

import axe from 'axe-core';
import { chromium } from 'playwright-core';

const HERE = path.dirname(fileURLToPath(import.meta.url));
const CHROMIUM = process.env.CHROMIUM ?? '/usr/bin/chromium';
const BUILT = ['release', 'debug'].map((kind) => path.join(HERE, '../../target', kind, 'grader'));
const BINARY = path.resolve(process.env.BINARY_UNDER_TEST ?? BUILT.find((file) => fs.existsSync(file)) ?? BUILT[0]);
const FLAGS = ['--headless', '--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run',
  '--disable-background-networking', '--disable-component-update', '--disable-sync'];

const skip = fs.existsSync(CHROMIUM) ? false : `no browser at ${CHROMIUM}; CHROMIUM names another one`;
// What ends with a test, and what ends with its file.
const ofTest = [], ofFile = [];
const close = async (all) => {
  for (const end of all.splice(0).reverse()) await end();
};
after(async () => { await close(ofTest); await close(ofFile); });

/** A test that is skipped, with the reason, where there is no browser. */
// A watchdog, no measurement: a thousand games take a minute in a slow Chromium.
export const check = (name, body) => test(name, { skip, timeout: 300_000 }, async () => {
  try {
    await body();
  } finally {
    await close(ofTest);
  }
});

/** Makes something at its first use, so that skipped tests make nothing. */
export const once = (make) => {
  let made;
  return () => (made ??= make());
};

const browser = once(async () => {
  // Without a user data directory, Playwright makes a fresh one and removes it.
  const started = await chromium.launch({ executablePath: CHROMIUM, args: FLAGS });
  ofFile.push(() => started.close());
  return started;
});

/** The isolation of all runs. The tests need none, and the fewest tools. */
export const settings = { isolation: 'none' };

// What the person who runs the tests prefers must not change their outcome.
const environment = () => {
  const kept = Object.entries(process.env).filter(([name]) => !/^(GRADER_|CLICOLOR|NO_COLOR$)/.test(name));
  return { ...Object.fromEntries(kept), COLUMNS: '110', GRADER_ISOLATION: settings.isolation };
};

/** A directory to grade in; removed at the end. Names of files may be bytes. */
export class Workspace {
  constructor() {
    this.dir = fs.mkdtempSync(path.join(os.tmpdir(), 'browser-'));
    ofFile.push(() => fs.rmSync(this.dir, { recursive: true, force: true }));
    this.file('grader.toml', '');
  }

  path(name) {
    return Buffer.isBuffer(name) ? Buffer.concat([Buffer.from(`${this.dir}/`), name]) : path.join(this.dir, name);
  }

  url(name) {
    return pathToFileURL(this.path(name)).href;
  }

  file(name, text) {
    const file = this.path(name);
    fs.mkdirSync(Buffer.isBuffer(file) ? file.subarray(0, file.lastIndexOf('/')) : path.dirname(file), { recursive: true });
    fs.writeFileSync(file, text);
    return this;
  }

  read(name) {
    return fs.readFileSync(this.path(name), 'utf8');
  }

  /** The events of a record. */
  events(name) {
    return this.read(name).trim().split('\n').map((line) => JSON.parse(line));
  }

  /** Writes a record. */
  record(name, events) {
    return this.file(name, events.map((event) => `${JSON.stringify(event)}\n`).join(''));
  }

  /** A problem: its `problem.toml`, its cases `{name: [input, answer]}`, and its other files. */
  problem(slug, toml, cases, files) {
    this.file(`problems/${slug}/problem.toml`, toml);
    for (const [name, [input, answer]] of Object.entries(cases)) {
      this.file(`testcases/${slug}/${name}.in`, input).file(`testcases/${slug}/${name}.ans`, answer);
    }
    for (const [name, text] of Object.entries(files)) this.file(`problems/${slug}/${name}`, text);
    return this;
  }

  /** Runs grader to its end and returns what it printed. The exit status must be the given one. */
  grader(args, status = 0) {
    const run = spawnSync(BINARY, args, { cwd: this.dir, env: environment(), encoding: 'utf8' });
    if (run.error) throw new Error(`${BINARY}: ${run.error.message}`);
    assert.equal(run.status, status, `grader ${args.join(' ')}\n${run.stdout}${run.stderr}`);
    return run.stdout;
  }

  /** Starts a grader that serves a page. `end` is Ctrl-C, and returns the exit status. */
  async serve(args) {
    const child = spawn(BINARY, args, { cwd: this.dir, env: environment() });
    ofTest.push(() => child.kill('SIGKILL'));
    const exited = new Promise((resolve) => { child.once('exit', (code, signal) => resolve(code ?? signal)); });
    let printed = '';
    const address = await new Promise((resolve, reject) => {
      child.stdout.resume();
      child.stderr.on('data', (data) => {
        printed += data;
        const found = /view (http:\S+)/.exec(printed);
        if (found) resolve(found[1]);
      });
      child.once('error', reject);
      exited.then((code) => reject(new Error(`grader ended with ${code}\n${printed}`)));
    });
    const end = () => { child.kill('SIGINT'); return exited; };
    return { address, end, open: () => open(address, {}, (asked) => asked.startsWith(address)) };
  }
}

/** Whether two addresses are the same document. Node and browsers differ in what they escape. */
export const same = (one, other) => decodeURI(one.split('#')[0]) === decodeURI(other.split('#')[0]);

// Before its first frame, a part with `content-visibility: auto` has no `innerText`: a frame has ended when the next begins.
const drawn = (page) => page.waitForFunction(() => new Promise((done) => {
  requestAnimationFrame(() => requestAnimationFrame(() => done(true)));
}));

/**
 * Opens a page. `page.faults` lists everything that a page of grader never does: errors, dialogs, requests that are not
 * its `own`, and what its policy had to forbid.
 */
export async function open(url, options = {}, own = (asked) => same(asked, url)) {
  const context = await (await browser()).newContext({ viewport: { width: 1280, height: 800 }, ...options });
  ofTest.push(() => context.close());
  const page = await context.newPage();
  page.faults = [];
  const fault = (what, text) => page.faults.push(`${what}: ${String(text).slice(0, 300)}`);
  page.on('console', (message) => fault(message.type(), message.text()));
  page.on('pageerror', (error) => fault('error', error));
  page.on('dialog', (dialog) => { fault('dialog', dialog.message()); dialog.dismiss(); });
  page.on('popup', (popup) => fault('popup', popup.url()));
  page.on('request', (request) => { if (!own(request.url())) fault('request', request.url()); });
  if (options.javaScriptEnabled !== false) {
    await page.exposeFunction('reportViolation', (text) => fault('policy', text));
    await page.addInitScript(() => addEventListener('securitypolicyviolation', (event) => {
      window.reportViolation(`${event.violatedDirective} ${event.blockedURI}`);
    }));
  }
  await page.goto(url);
  // A page without scripts runs no callbacks of frames; a screenshot is taken of a frame that has ended.
  await (options.javaScriptEnabled === false ? page.screenshot() : drawn(page));
  return page;
}

/** The letters of a heat map: a text for each submission. */
export const letters = (page, map = 0) => page.locator('table.grid').nth(map).evaluate((table) => {
  const row = ({ cells }) => [cells[0].querySelector('code').textContent,
    [...cells].slice(table.dataset.first).map((cell) => cell.textContent).join('')];
  return Object.fromEntries([...table.tBodies[0].rows].map(row));
});

/** The cell of a submission and the test at a position. */
export const cell = (page, submission, test) => page
  .locator('table.grid tr', { has: page.locator(`code:text-is("${submission}")`) }).locator('td:not(.result, .figure)').nth(test);

/** Opens every folded part, and waits until the page has heard of each: some draw their content only then. */
export const unfold = (page) => page.evaluate(() => {
  const opened = [...document.querySelectorAll('details:not([open])')].map((details) => new Promise((heard) => {
    details.addEventListener('toggle', heard, { once: true });
    details.open = true;
  }));
  // A part that drawing another one removes is never heard of.
  return Promise.race([Promise.all(opened), new Promise((late) => { setTimeout(late, 2000); })]).then(() => {});
});

/** Asserts that the document itself does not scroll sideways, however wide the window is. */
export async function assertFits(page, also = () => {}) {
  await unfold(page);
  for (const width of [360, 1280, 2560]) {
    await page.setViewportSize({ width, height: 800 });
    const used = await page.evaluate(() => document.documentElement.scrollWidth);
    assert.ok(used <= width, `the page is ${used} wide in a window of ${width}`);
    await also(width);
  }
}

/** What axe-core finds wrong with a page as it is now. */
export async function violations(page) {
  await page.evaluate(axe.source);
  const found = await page.evaluate(() => window.axe.run());
  return found.violations.map(({ id, nodes }) => `${id}: ${nodes.slice(0, 3).map((node) => node.target.join(' ')).join(', ')}`);
}
