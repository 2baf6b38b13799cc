// The page of the kittens that go fishing.

import assert from 'node:assert/strict';
import fs from 'node:fs';

import { openGame } from './games.mjs';
import { assertFits, check, violations } from './grader.mjs';

const PROBLEM = 'kitten-fishing';
const read = (name) => fs.readFileSync(new URL(`../../testcases/${PROBLEM}/${name}`, import.meta.url), 'utf8');
const open = (test, options) => openGame(PROBLEM, { test }, options);
const markup = (page) => page.locator('main').innerHTML();
const slider = (page) => page.getByRole('slider', { name: 'Position' });
const go = (page, position) => slider(page).fill(`${position}`);
const last = async (page) => +await slider(page).getAttribute('max');
const words = (page) => page.locator('.words').textContent();
const printed = (page) => page.locator('.answer dt:visible').allTextContents();
/** What lies where: both hands and the row. */
const cards = async (page) => {
  const all = await page.locator('.cards').evaluateAll((places) => places.map((place) =>
    [...place.querySelectorAll('.rank')].map((rank) => rank.textContent).join(' ')));
  return { first: all[0], row: all[1], second: all[2] };
};
const marked = (page, state) => page.locator(`.card.${state}`).evaluateAll((found) =>
  found.map((one) => one.ariaLabel));

/** The game by the rules, as the positions the page has. */
const play = (input, most = 400) => {
  const hands = input.trim().split('\n').map((line) => line.split(' ')), positions = [];
  let row = [];
  const keep = () => positions.push({ first: hands[0].join(' '), row: row.join(' '), second: hands[1].join(' ') });
  keep();
  for (let turn = 0; turn < most && hands.every((hand) => hand.length > 0); turn += 1) {
    const hand = hands[turn % 2], card = hand.shift(), same = row.indexOf(card);
    row.push(card);
    keep();
    if (same < 0) continue;
    hand.push(...row.slice(same).reverse());
    row = row.slice(0, same);
    keep();
  }
  return positions;
};

for (const test of ['sample/1', 'sample/2', 'secret/02-shortest-first-wins', 'secret/06-longest-second-wins']) {
  check(`the game of ${test} is played to the answer`, async () => {
    const page = await open(test), positions = play(read(`${test}.in`));
    assert.equal(await last(page), positions.length - 1);
    for (const position of [0, 1, 7, 8, positions.length - 1]) {
      await go(page, position);
      assert.deepEqual(await cards(page), positions[position], `position ${position}`);
    }
    const lines = read(`${test}.ans`).trim().split('\n');
    assert.deepEqual(await printed(page), lines);
    const hand = lines[0].startsWith('小哼') ? 'first' : 'second', shown = await cards(page);
    assert.ok(lines[1].endsWith(`牌是 ${shown[hand]}`) && lines[2].endsWith(`牌是 ${shown.row}`), `${lines}`);
    assert.match(await page.locator('.kitten.winner').textContent(), new RegExp(`${hand} kitten.*has won`));
    assert.deepEqual(page.faults, []);
  });
}

check('cards are marked as taken, in their order, before they are in the hand', async () => {
  const page = await open('sample/1');
  await go(page, 20);
  assert.equal(await words(page), 'Turn 15: the first kitten lays 1. It catches 3 cards.');
  assert.deepEqual(await marked(page, 'taken'), ['1, is taken 3rd', '3, is taken 2nd', '1, is taken 1st']);
  assert.deepEqual(await cards(page), { first: '2 2 5 5 6 6', row: '4 1 3 1', second: '4 3' });
  await page.keyboard.press('ArrowRight');
  assert.deepEqual(await marked(page, 'won'), ['1, was taken 1st', '3, was taken 2nd', '1, was taken 3rd']);
  assert.deepEqual(await cards(page), { first: '2 2 5 5 6 6 1 3 1', row: '4', second: '4 3' });
  assert.deepEqual(await marked(page, 'taken'), []);
});

for (const test of ['secret/12-draw-soon', 'secret/13-draw-late']) {
  check(`the endless game of ${test} is shown as one, with the round that repeats`, async () => {
    const page = await open(test), positions = play(read(`${test}.in`));
    const end = await last(page);
    await go(page, end);
    assert.deepEqual(await printed(page), ['平局']);
    const [, second, first] = /After turn (\d+) everything is as it was (?:after turn (\d+)|at the start)/
      .exec(await page.locator('.result').textContent());
    const everything = await cards(page);
    assert.deepEqual(everything, positions[end], 'the game was played that far');
    const same = (position) => JSON.stringify(position) === JSON.stringify(everything);
    const earlier = positions.findIndex(same);
    await page.getByRole('button', { name: 'The first time' }).press('Enter');
    assert.deepEqual(await cards(page), everything, 'hands and row are the same');
    assert.equal(await slider(page).inputValue(), `${earlier}`, 'the first repetition');
    assert.match(await words(page), new RegExp(first ? `^Turn ${first}:` : '^Start'));
    assert.equal((second - (first ?? 0)) % 2, 0, 'the same kitten plays');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    assert.equal(await slider(page).inputValue(), `${end}`);
    await page.getByText('The bracket marks').waitFor();
    assert.deepEqual(page.faults, []);
  });
}

check('a page with a part of the turns says so, and still has the end', async () => {
  const page = await openGame(PROBLEM, { test: 'sample/1', args: ['--turns', '10'] });
  await page.getByText('This game has 49 turns. This page has the first 10 of them, and the end.').waitFor();
  await go(page, await last(page));
  assert.deepEqual(await cards(page), { first: '', row: '3 4 5 6 2', second: '1 6 5 2 3 4 1' });
  assert.deepEqual(await printed(page), read('sample/1.ans').trim().split('\n'));
  const endless = await openGame(PROBLEM, { test: 'secret/13-draw-late', args: ['--turns', '10'] });
  await endless.getByText('This page has the first 10 of them.').waitFor();
  await go(endless, await last(endless));
  assert.deepEqual(await printed(endless), []);
});

check('going back restores what was there', async () => {
  const page = await open('sample/1');
  const start = await markup(page);
  for (let step = 0; step < 20; step += 1) await page.keyboard.press('ArrowRight');
  const middle = await markup(page);
  assert.notEqual(middle, start);
  for (const key of ['ArrowRight', 'ArrowRight', 'ArrowLeft', 'ArrowLeft']) await page.keyboard.press(key);
  assert.equal(await markup(page), middle);
  await page.keyboard.press('End');
  await go(page, 20);
  assert.equal(await markup(page), middle);
  await page.keyboard.press('r');
  assert.equal(await markup(page), start);
});

check('a short game at five times the speed, by the keyboard alone', async () => {
  const page = await open('secret/01-shortest-second-wins');
  await page.keyboard.press('5');
  await page.keyboard.press(' ');
  await page.getByRole('heading', { name: 'The second kitten has won' }).first().waitFor();
  await page.getByRole('button', { name: 'Once more' }).press('Enter');
  assert.match(await words(page), /^Start/);
  const seen = [];
  while (seen.at(-1) !== 'BODY' && seen.length < 40) {
    await page.keyboard.press('Tab');
    seen.push(await page.evaluate(() => document.activeElement.tagName));
  }
  assert.ok(seen.length < 40, 'the Tab key leaves the page');
  assert.deepEqual(page.faults, []);
});

check('the page is accessible and fits', async () => {
  for (const colorScheme of ['light', 'dark']) {
    for (const test of ['sample/1', 'secret/13-draw-late']) {
      const page = await open(test, { colorScheme });
      for (const position of [20, await last(page)]) {
        await go(page, position);
        assert.deepEqual(await violations(page), [], `${test}, ${colorScheme}, position ${position}`);
      }
      await assertFits(page);
      assert.deepEqual(page.faults, []);
    }
  }
});
