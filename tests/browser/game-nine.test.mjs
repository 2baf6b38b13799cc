// The page of Nine: best play, games by hand, steps, and what every page of a game must do.

import assert from 'node:assert/strict';
import fs from 'node:fs';

import { openGame } from './games.mjs';
import { assertFits, check, unfold, violations } from './grader.mjs';

const show = (test, options) => openGame('nine', { test }, options);
const answer = (test) => fs.readFileSync(new URL(`../../testcases/nine/${test}.ans`, import.meta.url), 'utf8').trim();
const board = (page) => page.locator('.board');
const words = (page) => page.locator('.words').textContent();
const playable = (page) => page.locator('button.card');
const over = (page) => page.locator('dialog h2');
const press = async (page, ...keys) => {
  for (const key of keys) await page.keyboard.press(key);
};
const choose = (page, who) => page.getByLabel('Who plays').selectOption({ label: who });
/** A card may be below the next one of its hand, but never its rank. */
const lay = (card) => card.click({ position: { x: 8, y: 16 } });
/** The position that the control bar tells, and the number of positions. */
const place = async (page) => (await page.locator('.track .figure').textContent()).split('/').map(Number);
const clean = (page) => assert.deepEqual(page.faults, []);

/** Lays cards of one's own until the game is over. */
const playOut = async (page, pick) => {
  await press(page, '5');
  for (;;) {
    await playable(page).or(over(page)).first().waitFor();
    if (await over(page).count()) return over(page).textContent();
    const before = await words(page);
    await pick();
    await page.waitForFunction((text) => document.querySelector('.words').textContent !== text, before);
  }
};

check('best play is won by whom the reference says', async () => {
  const winners = new Set();
  const tests = ['sample/1', 'sample/2', 'secret/03-chequered', 'secret/16-slow'];
  for (const test of tests) {
    const page = await show(test);
    await page.getByLabel('Show who wins').check();
    assert.match(await page.locator('.verdict').textContent(), new RegExp(`^${answer(test)} wins from here`), test);
    await press(page, 'End');
    assert.match(await words(page), new RegExp(`^${answer(test)} lays .* and wins\\.$`), test);
    assert.equal(await page.locator('.active h2').textContent(), answer(test), test);
    winners.add(answer(test));
    clean(page);
    await page.context().close();
  }
  assert.equal(winners.size, 2);
});

check('auto-play goes to the win screen, and reset to the start', async () => {
  const page = await show('sample/1');
  const start = await board(page).innerHTML();
  await press(page, 'm', '5', ' ');
  assert.equal(await page.getByRole('button', { name: 'Sound' }).getAttribute('aria-pressed'), 'true');
  await over(page).waitFor();
  assert.equal(await over(page).textContent(), 'Alice wins!');
  const [at, count] = await place(page);
  assert.equal(at, count);
  const [, held] = /Bob still holds (\d+) cards? after/.exec(await page.locator('dialog').textContent());
  assert.equal(await page.locator('.place').count(), Number(held));
  assert.deepEqual(await violations(page), []);
  await press(page, 'Escape');
  assert.equal(await page.locator('dialog').count(), 0);
  await press(page, 'r');
  assert.equal(await board(page).innerHTML(), start);
  assert.equal(await page.locator('.speed .figure').textContent(), '1×');
  clean(page);
});

check('a step back restores exactly what was there', async () => {
  const page = await show('secret/12-stuck-alice');
  const seen = [];
  const [, count] = await place(page);
  for (let i = 0; i <= count; i += 1) {
    seen.push([await board(page).innerHTML(), await words(page)]);
    if (i < count) await press(page, 'ArrowRight');
  }
  assert.equal(new Set(seen.map(([drawn]) => drawn)).size, count + 1);
  assert.ok(seen.some(([, said]) => said.includes(' passes. ')));
  await press(page, 'Escape');
  for (let i = count; i >= 0; i -= 1) {
    assert.deepEqual([await board(page).innerHTML(), await words(page)], seen[i], `position ${i}`);
    if (i > 0) await press(page, 'ArrowLeft');
  }
  await page.getByRole('slider', { name: 'Position' }).fill('7');
  assert.equal(await board(page).innerHTML(), seen[7][0]);
  clean(page);
});

check('who plays a lost hand against best play loses, by mouse', async () => {
  const page = await show('sample/1', { reducedMotion: 'reduce' });
  await choose(page, 'You play Bob');
  const end = await playOut(page, () => lay(playable(page).last()));
  assert.equal(end, 'Alice wins, and you lose');
  assert.match(await page.locator('dialog').textContent(), /Alice could win from the start, and never gave/);
  await page.getByRole('button', { name: 'Start again' }).click();
  await playable(page).first().waitFor();
  assert.equal((await place(page))[0], 1);
  clean(page);
});

check('who follows the marks wins, by keyboard', async () => {
  const page = await show('sample/5');
  await page.getByLabel('Who plays').focus();
  await press(page, 'ArrowDown', 'ArrowDown', 'Tab', 'Space');
  assert.equal(await page.getByLabel('Who plays').inputValue(), 'bob');
  const focused = () => page.evaluate(() => document.activeElement.getAttribute('aria-label'));
  let first = true;
  const end = await playOut(page, async () => {
    // After the first card, the focus stays among the cards.
    if (!first) assert.match(await focused(), / of /);
    first = false;
    for (let i = 0; i < 60 && !(await focused())?.endsWith('keeps the win'); i += 1) await press(page, 'Tab');
    await press(page, 'Enter');
  });
  assert.equal(end, 'You win as Bob!');
  assert.equal(await page.evaluate(() => document.activeElement.textContent), 'See the table');
  clean(page);
});

check('marks tell what a card does, and another card makes another line', async () => {
  const page = await show('sample/5', { reducedMotion: 'reduce', viewport: { width: 360, height: 800 } });
  await choose(page, 'You play both');
  await page.getByLabel('Show who wins').check();
  const winner = async () => /^(Alice|Bob) wins/.exec(await page.locator('.verdict').textContent())[1];
  let kept = 0, given = 0, fork = null;
  for (let i = 0; i < 20; i += 1) {
    const mover = /(Alice|Bob) to move\.$/.exec(await words(page))?.[1];
    if (!mover) { await press(page, 'ArrowRight'); continue; }
    const labels = await playable(page).evaluateAll((cards) => cards.map((card) => card.getAttribute('aria-label')));
    const winning = labels.filter((label) => label.endsWith('keeps the win'));
    assert.equal(winning.length > 0, await winner() === mover, `move ${i + 1}`);
    if (labels.length > 1) fork = { at: (await place(page))[0], drawn: await board(page).innerHTML(), labels };
    // Whoever can win gives it away, where that is possible.
    const pick = labels.find((label) => label.endsWith(i < 3 ? 'keeps the win' : 'loses')) ?? labels[0];
    await lay(page.getByRole('button', { name: pick, exact: true }));
    assert.equal(await winner() === mover, pick.endsWith('keeps the win'), pick);
    if (pick.endsWith('keeps the win')) kept += 1;
    else if (winning.length > 0) given += 1;
  }
  assert.ok(kept > 0 && given > 0, `the win was kept ${kept} times and given away ${given} times`);
  while ((await place(page))[0] > fork.at) await press(page, 'ArrowLeft');
  assert.equal(await board(page).innerHTML(), fork.drawn);
  await lay(page.getByRole('button', { name: fork.labels.at(-1), exact: true }));
  assert.ok((await words(page)).includes(fork.labels.at(-1).split(',')[0]));
  await unfold(page);
  const [, count] = await place(page);
  assert.ok(count <= fork.at + 2);
  assert.equal(await page.locator('.facts tbody tr').count(), count);
  clean(page);
});

check('keys are left to what has the focus', async () => {
  const page = await show('sample/1');
  await unfold(page);
  assert.equal(await page.getByLabel('The deal as text').inputValue(),
    fs.readFileSync(new URL('../../testcases/nine/sample/1.in', import.meta.url), 'utf8'));
  await page.getByLabel('The deal as text').focus();
  await press(page, 'ArrowRight', '5', 'End');
  assert.equal((await place(page))[0], 0);
  await page.getByLabel('Speed').focus();
  await press(page, 'ArrowRight');
  assert.equal(await page.locator('.speed .figure').textContent(), '2×');
  assert.equal((await place(page))[0], 0);
  await page.getByRole('button', { name: 'Step forward' }).focus();
  await press(page, 'Space', 'Enter', 'ArrowRight', 'ArrowLeft');
  assert.equal((await place(page))[0], 2);
  clean(page);
});

check('no card leaves the frame of its hand, at any width', async () => {
  const page = await show('secret/01-whole-suits');
  for (let width = 360; width <= 2560; width += 40) {
    await page.setViewportSize({ width, height: 900 });
    const over = await page.evaluate(() => [...document.querySelectorAll('.hand')].flatMap((hand) => {
      const { right } = hand.getBoundingClientRect();
      return [...hand.querySelectorAll('.stack .card')].map((card) => card.getBoundingClientRect().right - right);
    }));
    assert.ok(Math.max(...over) <= 0, `${Math.max(...over)} px at ${width}`);
  }
  clean(page);
});

check('the page is clean in light and dark, and fits', async () => {
  const page = await show('secret/01-whole-suits', { colorScheme: 'light' });
  assert.deepEqual(await violations(page), []);
  await page.getByLabel('Show who wins').check();
  await assertFits(page);
  await press(page, 'ArrowRight', 'ArrowRight', 'ArrowRight');
  await page.setViewportSize({ width: 360, height: 800 });
  for (const colorScheme of ['light', 'dark']) {
    await page.emulateMedia({ colorScheme });
    assert.deepEqual(await violations(page), [], colorScheme);
  }
  clean(page);
});
