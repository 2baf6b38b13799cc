// What all games share: controls stay where they are while texts and boards change, so that no click goes astray.

import assert from 'node:assert/strict';

import { makePage } from './games.mjs';
import { check, once, open } from './grader.mjs';

const GAMES = ['nine', 'dirac-dice-quantum', 'dirac-dice-deterministic', 'kitten-fishing', 'crab-combat',
  'recursive-combat', 'recursive-combat-log', 'touch-numbers'];
const pages = Object.fromEntries(GAMES.map((game) => [game, once(() => makePage(game, { test: 'sample/1' }))]));

/** Where each control is: in the window if it stays there, else on the page. */
const places = (page, what) => page.evaluate((selector) => {
  const place = (at) => {
    const bar = at.closest('.bar'), fixed = bar && getComputedStyle(bar).position === 'fixed';
    return Math.round(at.getBoundingClientRect().top + (fixed ? 0 : scrollY));
  };
  const name = (at) => (at.getAttribute('aria-label') ?? at.textContent).replace(/^(Play|Pause)$/, 'Play or pause');
  return [...document.querySelectorAll(selector)].map((at) => `${name(at).slice(0, 30)} at ${place(at)}`);
}, what);

for (const game of GAMES) {
  for (const width of [1280, 900, 380]) {
    check(`${game}: the controls stay where they are, ${width} px`, async () => {
      const page = await open(pages[game](), { viewport: { width, height: 800 }, reducedMotion: 'reduce' });
      // What is below the board on a narrow screen is no control of a step.
      const what = width > 1000 ? '.stage :is(button:not(.card, .hand), select, summary, input)' :
        ':is(.bar, .jumps) :is(button, select, input)';
      const first = await places(page, what);
      assert.ok(first.length >= 8, first.join());
      for (const key of [...Array(25).fill('ArrowRight'), 'End', 'ArrowLeft', 'Home']) {
        await page.keyboard.press(key);
        if (await page.locator('dialog[open]').count()) await page.keyboard.press('Escape');
        assert.deepEqual(await places(page, what), first, `after ${key}`);
      }
      assert.deepEqual(page.faults, []);
    });
  }
}

for (const width of [900, 1280]) {
  check(`Nine: cards do not overlap, and every rank is whole, ${width} px`, async () => {
    const page = await open(pages.nine(), { viewport: { width, height: 900 }, reducedMotion: 'reduce' });
    const faults = await page.evaluate(() => [...document.querySelectorAll('.stack ul')].flatMap((hand) => {
      const cards = [...hand.querySelectorAll('.card')].map((card) => [card.getBoundingClientRect(),
        card.querySelector('.rank').getBoundingClientRect(), card.getAttribute('aria-label')]);
      return cards.filter(([card, rank], i) => rank.right > card.right || card.right > cards[i + 1]?.[0].left ||
        card.right > hand.closest('.hand').getBoundingClientRect().right).map(([, , name]) => name);
    }));
    assert.deepEqual(faults, []);
  });
}

check('Nine: the board grows on a large screen', async () => {
  const size = async (width) => {
    const page = await open(pages.nine(), { viewport: { width, height: 1200 }, reducedMotion: 'reduce' });
    return page.locator('.felt').evaluate((felt) => felt.offsetHeight);
  };
  const [usual, large] = [await size(1280), await size(2200)];
  assert.ok(large > 1.3 * usual, `${usual} and ${large}`);
});
