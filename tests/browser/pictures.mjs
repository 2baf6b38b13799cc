// Makes the pictures of docs/reports.md from runs of the project's own problems: `npm run pictures` in this folder.

import fs from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { test } from 'node:test';

import { Workspace, open, settings } from './grader.mjs';

settings.isolation = 'auto';

const ROOT = path.join(path.dirname(fileURLToPath(import.meta.url)), '../..');
const picture = (name) => path.join(ROOT, 'docs', `${name}.png`);

/** The given problems of this repository. */
function problems(...slugs) {
  const workspace = new Workspace();
  for (const folder of slugs.flatMap((slug) => [`problems/${slug}`, `testcases/${slug}`])) {
    fs.cpSync(path.join(ROOT, folder), workspace.path(folder), { recursive: true });
  }
  return workspace;
}

const at = (workspace, name, width, height, options = {}) =>
  open(workspace.url(name), { viewport: { width, height }, ...options });

/** The part of a page from one element to another. */
async function part(page, from, to, name) {
  const [top, bottom] = await Promise.all([from, to].map((element) => element.boundingBox()));
  const clip = { x: 0, y: top.y - 8, width: page.viewportSize().width, height: bottom.y + bottom.height - top.y + 16 };
  await page.screenshot({ path: picture(name), clip, fullPage: true });
}

test('a run, one of its cases, and its times', { timeout: 300_000 }, async () => {
  const workspace = problems('nine', 'crab-combat');
  const submissions = (name) => workspace.path(`problems/${name}`);
  fs.copyFileSync(submissions('nine/submissions/wrong_answer/greedy.py'), submissions('nine/submissions/accepted/mine.py'));
  fs.copyFileSync(submissions('crab-combat/submissions/accepted/deques.py'),
    submissions('crab-combat/submissions/wrong_answer/deques.py'));
  workspace.grader(['run', '--report', 'html=run.html'], 1);
  const page = await at(workspace, 'run.html', 1000, 1000);
  await page.screenshot({ path: picture('report-run') });
  await page.locator('tr.missed td.w').first().click();
  await page.locator('dialog').screenshot({ path: picture('report-case') });
  await page.keyboard.press('Escape');
  const slow = problems('dirac-dice-quantum');
  slow.grader(['run', '--report', 'html=run.html'], 0);
  const times = await at(slow, 'run.html', 960, 1600);
  await part(times, times.locator('.margins'), times.locator('.chart').first(), 'report-times');
});

test('the kills of verify', { timeout: 300_000 }, async () => {
  const workspace = problems('crab-combat');
  workspace.grader(['verify', '--report', 'html=verify.html'], 0);
  const page = await at(workspace, 'verify.html', 1000, 1600, { colorScheme: 'dark' });
  const heading = page.getByRole('heading', { name: 'Which case kills which submission' });
  await part(page, heading, page.locator('table.kills'), 'report-kills');
});

test('a class', { timeout: 300_000 }, async () => {
  const workspace = problems('crab-combat', 'dirac-dice-deterministic');
  const source = (name) => fs.readFileSync(path.join(ROOT, 'problems', name), 'utf8');
  const deques = source('crab-combat/submissions/accepted/deques.py');
  const wrong = source('crab-combat/submissions/wrong_answer/loser_first.py');
  const dice = source('dirac-dice-deterministic/submissions/accepted/remainders.py');
  const students = {
    'Ada': [deques, dice], 'Ben': [`# mine\n${deques.replaceAll('    ', '  ')}`, null],
    'Chiara': [wrong, dice], 'Duc': [wrong, source('dirac-dice-deterministic/submissions/wrong_answer/zero_for_ten.cpp')],
    'Emre': [wrong, null], 'Finn': [source('crab-combat/submissions/run_time_error/pops_empty_deck.py'), dice],
  };
  for (const [student, [crab, die]] of Object.entries(students)) {
    workspace.file(`class/${student}/crab-combat.py`, crab);
    if (die) workspace.file(`class/${student}/dirac-dice-deterministic.${die.includes('#include') ? 'cpp' : 'py'}`, die);
  }
  workspace.grader(['judge', 'class', '--layout', '{student}/{problem}.*', '--report', 'html=class.html'], 1);
  const page = await at(workspace, 'class.html', 1000, 1600);
  await part(page, page.getByRole('heading', { name: 'The class' }), page.locator('ul', { hasText: 'equal' }).first(), 'report-class');
});

test('three games', { timeout: 300_000 }, async () => {
  const games = [
    ['nine', 'sample/1', 17, 1280, 650, async (page) => { await page.getByLabel('Show who wins').check(); }],
    ['recursive-combat', 'secret/13-random-10-10', 700, 1280, 900, async () => {}],
  ];
  for (const [problem, test, step, width, height, prepare] of games) {
    const workspace = problems(problem);
    workspace.grader(['visualize', problem, test, '--out', 'out']);
    const page = await at(workspace, `out/${test}.html`, width, height);
    await prepare(page);
    await page.locator('.track input').fill(`${step}`);
    await page.evaluate(() => scrollTo(0, 0));
    await page.screenshot({ path: picture(`game-${problem}`) });
  }
  const workspace = problems('touch-numbers');
  workspace.grader(['visualize', 'touch-numbers', 'sample/1', '--out', 'out']);
  const page = await at(workspace, 'out/sample/1.html', 1280, 830, { reducedMotion: 'reduce' });
  for (const key of ['a', 'q', 's', 'w']) await page.keyboard.press(key);
  await page.getByLabel('Show what each move is worth').check();
  await page.screenshot({ path: picture('game-touch-numbers') });
});
