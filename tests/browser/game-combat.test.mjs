// The pages of Crab Combat, Recursive Combat and its log.

import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

import { openGame } from './games.mjs';
import { assertFits, check, violations } from './grader.mjs';

const ROOT = path.join(path.dirname(fileURLToPath(import.meta.url)), '../..');
const answer = (problem, test) => fs.readFileSync(path.join(ROOT, 'testcases', problem, `${test}.ans`), 'utf8');
const CRAB = 'crab-combat', RECURSIVE = 'recursive-combat', LOG = 'recursive-combat-log';

/** Opens the page of a case; nothing but the drawing may happen while it is open. */
const withGame = (name, problem, test, body, options) => check(`${problem}, ${test}: ${name}`, async () => {
  const page = await openGame(problem, { test }, options);
  await body(page);
  assert.deepEqual(page.faults, []);
});

const click = (page, name) => page.getByRole('button', { name, exact: true }).click();
const heading = (page) => page.locator('.table h2').textContent();
const story = (page) => page.locator('.story').textContent();
const board = (page) => page.locator('.board').innerHTML();
const position = (page) => page.getByRole('slider', { name: 'Position' });
const goTo = (page, at) => position(page).fill(`${at}`);
const score = (page) => page.locator('.sum strong').textContent();

for (const file of ['page.js', 'page.css']) {
  check(`the three problems have the same ${file}`, () => {
    const [one, ...others] = [CRAB, RECURSIVE, LOG]
      .map((slug) => fs.readFileSync(path.join(ROOT, 'problems', slug, 'input_visualizer/page', file), 'utf8'));
    for (const other of others) assert.equal(other, one);
  });
}

for (const [problem, test] of [
  [CRAB, 'sample/1'], [CRAB, 'secret/01-smallest'], [CRAB, 'secret/04-fifty-against-one'],
  [CRAB, 'secret/18-long-50-50'],
  [RECURSIVE, 'sample/1'], [RECURSIVE, 'sample/2'], [RECURSIVE, 'secret/02-smallest-other-winner'],
  [RECURSIVE, 'secret/07-repeats-after-sub-games'], [RECURSIVE, 'secret/09-repeats-25-26'],
  [RECURSIVE, 'secret/16-random-25-25'], [RECURSIVE, 'secret/22-long-first-game-50-50'],
]) {
  withGame('the last position has the answer', problem, test, async (page) => {
    assert.equal(await page.locator('.score').count(), 0);
    await click(page, 'Last position');
    assert.equal(await score(page), answer(problem, test).trim());
    const shown = await page.locator('.score li').evaluateAll((items) => items.map((item) => item.textContent));
    const parts = shown.map((text) => text.replaceAll(',', '').match(/\d+/g).map(Number));
    assert.ok(parts.every(([card, place, points]) => card * place === points));
    assert.equal(parts.reduce((sum, [, , points]) => sum + points, 0), Number(await score(page)));
  });
}

for (const [problem, test, from] of [[CRAB, 'sample/1', 0], [CRAB, 'secret/18-long-50-50', 250],
  [RECURSIVE, 'sample/1', 5], [LOG, 'sample/1', 5], [RECURSIVE, 'secret/16-random-25-25', 300_000]]) {
  withGame('stepping back restores', problem, test, async (page) => {
    await goTo(page, from);
    const seen = [await board(page)];
    for (let step = 0; step < 20; step++) {
      await click(page, 'Step forward');
      seen.push(await board(page));
      assert.notEqual(seen.at(-1), seen.at(-2));
    }
    while (seen.length > 1) {
      assert.equal(await board(page), seen.pop());
      await click(page, 'Step back');
    }
    assert.equal(await board(page), seen[0]);
  });
}

withGame('every round says who takes the cards', CRAB, 'sample/1', async (page) => {
  await goTo(page, 1);
  assert.equal(await story(page), '9 beats 5: player 1 takes both cards.');
  assert.deepEqual(await page.locator('.table .deck').first().locator('li').allTextContents(), ['6', '3', '1']);
  await goTo(page, 2);
  assert.equal(await story(page), '8 beats 2: player 2 takes both cards.');
  assert.deepEqual(await page.locator('.table .deck .fresh').allTextContents(), ['9', '5']);
});

withGame('a sub-game, its end, and the round that it decides', RECURSIVE, 'sample/1', async (page) => {
  await click(page, 'Next sub-game');
  assert.match(await heading(page), /^Game 2, the deal/);
  assert.match(await page.locator('.outer').textContent(), /Game 1, round 9.*Player 1 drew 4, player 2 drew 3/);
  assert.deepEqual(await page.locator('.outer .copied').allTextContents(), ['9', '8', '5', '2', '10', '1', '7']);
  await click(page, 'End of this sub-game');
  assert.match(await story(page), /^Player 2 has all the cards and wins game 2/);
  await click(page, 'Step forward');
  assert.equal(await heading(page), 'Game 1, round 9level 1 of 3');
  assert.equal(await story(page),
    'Player 2 has won game 2, so player 2 takes both cards, although 3 is the lower one.');
});

withGame('game 1 only', RECURSIVE, 'secret/07-repeats-after-sub-games', async (page) => {
  const everything = Number(await position(page).getAttribute('max'));
  await page.getByLabel('Step through').selectOption('first');
  const rounds = Number(await position(page).getAttribute('max')) - 1;
  assert.ok(rounds < everything / 2);
  for (let round = 1; round <= Math.min(rounds, 30); round++) {
    await click(page, 'Step forward');
    assert.match(await heading(page), new RegExp(`^Game 1, round ${round}level 1`));
  }
  const [last, text] = [await board(page), await heading(page)];
  await page.getByLabel('Step through').selectOption('every');
  assert.deepEqual([await board(page), await heading(page)], [last, text]);
  await click(page, 'Last position');
  assert.equal(await score(page), answer(RECURSIVE, 'secret/07-repeats-after-sub-games').trim());
});

for (const [problem, test] of [[RECURSIVE, 'sample/2'], [RECURSIVE, 'secret/09-repeats-25-26'],
  [LOG, 'secret/06-sub-games-repeat']]) {
  withGame('a repetition is shown', problem, test, async (page) => {
    await click(page, 'Next repetition');
    assert.match(await story(page), /^Both decks are as they were before round \d+ of this game\. So player 1 wins/);
    const decks = await page.locator('.repetition ol').evaluateAll((lists) => lists.map((list) => list.textContent));
    assert.equal(decks.length, 4);
    assert.deepEqual(decks.slice(0, 2), decks.slice(2));
    const [round] = (await story(page)).match(/\d+/);
    const [game] = (await heading(page)).match(/^Game \d+/);
    await click(page, 'Repeated round');
    assert.ok((await heading(page)).startsWith(`${game}, round ${round}`));
  });
}

for (const test of ['sample/1', 'sample/2', 'secret/09-three-levels']) {
  withGame('the log is the answer, and goes with the steps', LOG, test, async (page) => {
    assert.equal(await page.locator('.log pre').textContent(), answer(LOG, test));
    const seen = await position(page).evaluate((slider) => Array.from({ length: +slider.max + 1 }, (_, at) => {
      slider.value = at;
      slider.dispatchEvent(new Event('input'));
      const mark = document.querySelector('mark'), log = mark.closest('.log');
      const [inside, around] = [mark, log].map((element) => element.getBoundingClientRect());
      const visible = inside.top >= around.top && inside.bottom <= around.bottom;
      return { heading: document.querySelector('.table h2').textContent, marked: mark.textContent, visible };
    }));
    for (const { heading: where, marked, visible } of seen) {
      const [, game, round] = where.match(/^Game (\d+)(?:, round (\d+))?/);
      assert.ok(new RegExp(`game ${game}\\b`, 'i').test(marked) && visible, marked);
      if (round) assert.ok(new RegExp(`round ${round}\\b`, 'i').test(marked), marked);
    }
    // Every line is marked at one position, but for the empty ones.
    const full = (text) => text.split('\n').filter(Boolean);
    assert.deepEqual(full(seen.map(({ marked }) => marked).join('')), full(answer(LOG, test)));
  });
}

withGame('a click on a line of the log goes to its round', LOG, 'sample/1', async (page) => {
  await page.locator('.log pre').click({ position: { x: 40, y: 8 * 17 + 11 } });
  assert.match(await heading(page), /^Game 1, round 1l/);
  await page.locator('.log').evaluate((log) => { log.scrollTop = 9 * 17; });
  await page.locator('.log').press('Enter');
  assert.match(await heading(page), /^Game 1, round 2l/);
});

withGame('the keyboard is enough', RECURSIVE, 'sample/1', async (page) => {
  const press = (key) => page.keyboard.press(key);
  await press('ArrowRight');
  assert.match(await heading(page), /round 1/);
  const reached = new Set();
  for (let tabs = 0; tabs < 30; tabs++) {
    await press('Tab');
    reached.add(await page.evaluate(() => document.activeElement.textContent.trim()));
    if (reached.has('Next sub-game')) break;
  }
  await press('Enter');
  assert.match(await heading(page), /^Game 2, the deal/);
  await press('Tab');
  await press('Enter');
  assert.match(await heading(page), /^Game 2, the end/);
  await press('End');
  assert.equal(await score(page), '291');
  await press('Home');
  assert.match(await heading(page), /the deal/);
});

withGame('it plays to its end', RECURSIVE, 'secret/04-just-enough', async (page) => {
  await page.keyboard.press('5');
  await page.keyboard.press(' ');
  const dialog = page.getByRole('dialog');
  await dialog.waitFor({ timeout: 20_000 });
  assert.match(await dialog.textContent(), /wins.*The score is 42\./);
  await page.keyboard.press('Escape');
  assert.equal(await score(page), '42');
});

withGame('nothing moves for readers who want it so', CRAB, 'sample/1', async (page) => {
  await page.keyboard.press('ArrowRight');
  assert.equal(await page.evaluate(() => document.getAnimations().length), 0);
}, { reducedMotion: 'reduce' });

withGame('the largest case is there at once', RECURSIVE, 'secret/16-random-25-25', async (page) => {
  const [data, ready] = await page.evaluate(() => [document.getElementById('data').textContent.length,
    performance.getEntriesByType('navigation')[0].domContentLoadedEventEnd]);
  assert.ok(data < 300 << 10, `${data} bytes`);
  assert.ok(ready < 3000, `${ready} ms`);
  const count = Number(await position(page).getAttribute('max'));
  await goTo(page, count - 3);
  for (let step = 0; step < 3; step++) await click(page, 'Step forward');
  assert.match(await heading(page), /^Game 1, the end/);
});

check('sub-games that are too long for a page are steps with their results', async () => {
  const decks = [
    '27 60 24 10 3 6 19 44 48 23 58 26 20 11 4 12 30 38 16 36 53 54 41 46 35 22 13 51 59 34',
    '40 33 43 21 45 15 18 50 1 39 28 47 2 57 7 14 25 42 31 29 56 32 8 17 5 49 52 55 37 9',
  ].map((cards) => cards.replaceAll(' ', '\n'));
  const page = await openGame(RECURSIVE, { input: `Player 1:\n${decks[0]}\n\nPlayer 2:\n${decks[1]}\n` });
  assert.match(await page.locator('.panel').textContent(),
    /818,345 rounds in 7,599 games are played.*shows [45]\d\d,\d{3} rounds of them\. 296 sub-games are too long/);
  await page.getByLabel('Step through').selectOption('first');
  const stories = await position(page).evaluate((slider) => Array.from({ length: +slider.max + 1 }, (_, at) => {
    slider.value = at;
    slider.dispatchEvent(new Event('input'));
    return document.querySelector('.story').textContent;
  }));
  const result = /It takes [\d,]+ rounds? and is not on this page\. Player (.) wins it: player \1 takes/;
  assert.ok(stories.some((text) => result.test(text)));
  assert.equal(await score(page), '56172');
  assert.deepEqual(page.faults, []);
});

for (const colorScheme of ['light', 'dark']) {
  for (const [problem, test, at] of [[CRAB, 'secret/18-long-50-50', 7395],
    [RECURSIVE, 'secret/16-random-25-25', 100_000], [RECURSIVE, 'sample/1', 38],
    [LOG, 'secret/09-three-levels', 60], [LOG, 'sample/2', 7]]) {
    withGame(`position ${at} is readable and fits, ${colorScheme}`, problem, test, async (page) => {
      await goTo(page, at);
      assert.deepEqual(await violations(page), []);
      await assertFits(page);
      await page.setViewportSize({ width: 360, height: 800 });
      assert.deepEqual(await violations(page), []);
    }, { colorScheme });
  }
}
