// The pages of both games of Dirac dice.

import assert from 'node:assert/strict';
import fs from 'node:fs';

import { openGame } from './games.mjs';
import { assertFits, check, violations } from './grader.mjs';

const DETERMINISTIC = 'dirac-dice-deterministic', QUANTUM = 'dirac-dice-quantum';
const read = (problem, name) => fs.readFileSync(new URL(`../../testcases/${problem}/${name}`, import.meta.url), 'utf8');
const answer = (problem, test) => read(problem, `${test}.ans`).trim();
const starts = (problem, test) => [...read(problem, `${test}.in`).matchAll(/: (\d+)/g)].map(([, place]) => +place);
const markup = (page) => page.locator('main').innerHTML();
const slider = (page) => page.getByRole('slider', { name: 'Position' });
const go = (page, position) => slider(page).fill(`${position}`);
const last = async (page) => +await slider(page).getAttribute('max');
const digits = (text) => BigInt(text.replaceAll(/\D/g, ''));

/** The rows of a table in a closed part of the page. */
const rows = async (page, caption) => {
  const part = page.locator('details', { hasText: caption });
  await part.evaluate((details) => { details.open = true; });
  await part.locator('tbody tr').first().waitFor();
  return part.locator('tbody tr').evaluateAll((all) =>
    all.map((row) => [...row.cells].map((cell) => cell.textContent)));
};

/** Plays with the die of a hundred sides until somebody has 1000. */
const play = (places) => {
  const scores = [0, 0], turns = [];
  for (let die = 0; Math.max(...scores) < 1000;) {
    const who = turns.length % 2;
    for (let roll = 0; roll < 3; roll += 1, die += 1) places[who] += die % 100 + 1;
    places[who] = (places[who] - 1) % 10 + 1;
    scores[who] += places[who];
    turns.push({ places: [...places], scores: [...scores] });
  }
  return turns;
};

/** Follows every single roll for some turns: the universes in which the game goes on, and those just won. */
const split = (places, turns) => {
  let states = new Map([[`${places},0,0`, 1n]]);
  const counts = [];
  for (let turn = 0; turn < turns; turn += 1) {
    const who = turn % 2, next = new Map();
    let won = 0n;
    for (const [key, count] of states) {
      for (const rolls of Array(27).keys()) {
        const state = key.split(',').map(Number);
        const sum = (rolls % 3) + (Math.floor(rolls / 3) % 3) + Math.floor(rolls / 9) + 3;
        state[who] = (state[who] + sum - 1) % 10 + 1;
        state[2 + who] += state[who];
        if (state[2 + who] >= 21) won += count;
        else next.set(`${state}`, (next.get(`${state}`) ?? 0n) + count);
      }
    }
    states = next;
    counts.push([won, [...states.values()].reduce((sum, count) => sum + count, 0n)]);
  }
  return counts;
};

for (const test of ['sample/1', 'secret/07-fewest-rolls', 'secret/11-over-by-second']) {
  check(`the deterministic game of ${test} is played to the answer`, async () => {
    const page = await openGame(DETERMINISTIC, { test });
    const turns = play(starts(DETERMINISTIC, test));
    assert.equal(await last(page), turns.length);
    for (const turn of [1, 2, 40, turns.length - 1]) {
      await go(page, turn);
      const { places, scores } = turns[turn - 1];
      const wanted = scores.map((score) => `${score} of 1000`);
      assert.deepEqual(await page.locator('.score .figure').allTextContents(), wanted);
      assert.equal(await page.locator('.track-map').getAttribute('aria-label'),
        `The track: player 1 on place ${places[0]}, player 2 on place ${places[1]}`);
      assert.equal(await page.locator('.answer').count(), 0);
    }
    await page.keyboard.press('End');
    assert.equal(await page.locator('.answer').textContent(), answer(DETERMINISTIC, test));
    const winner = turns.length % 2 ? 1 : 2;
    assert.match(await page.locator('.score.winner').textContent(), new RegExp(`Player ${winner} has won`));
    assert.deepEqual(page.faults, []);
  });
}

for (const test of ['sample/1', 'secret/05-second-ahead', 'secret/10-most-universes', 'secret/11-fewest-universes']) {
  check(`the quantum games of ${test} are counted to the answer`, async () => {
    const page = await openGame(QUANTUM, { test });
    await go(page, await last(page));
    assert.equal(await page.locator('.answer').textContent(), answer(QUANTUM, test));
    const won = (await page.locator('.box > p:is(.one, .two)').allTextContents()).map((text) =>
      digits(/: ([\d,]+) universes/.exec(text)[1]));
    assert.equal(won[0] > won[1] ? won[0] : won[1], BigInt(answer(QUANTUM, test)));
    if (test === 'sample/1') assert.deepEqual(won, [444356092776315n, 341960390180808n]);
    assert.deepEqual(page.faults, []);
  });
}

check('the universes of the first turns are those of every single roll', async () => {
  for (const test of ['sample/1', 'secret/02-highest']) {
    const page = await openGame(QUANTUM, { test });
    const counts = split(starts(QUANTUM, test), 7), shown = await rows(page, 'All turns as a table');
    assert.equal(counts[0][1], 27n);
    counts.forEach(([won, on], turn) => {
      assert.deepEqual(shown[turn].slice(4).map(digits), [won, on], `${test}, turn ${turn + 1}`);
    });
    // Each map counts all universes in which the game goes on.
    await go(page, 6);
    for (const map of ['0', '1', 'both']) {
      await page.getByLabel('Where the universes are').selectOption(map);
      const cells = await rows(page, 'This picture as a table');
      assert.equal(cells.reduce((sum, [, , count]) => sum + digits(count), 0n), counts[5][1], `map ${map}`);
      assert.equal(await page.locator('.map .cell').count(), cells.length);
    }
  }
});

check('three rolls branch into seven sums', async () => {
  const page = await openGame(QUANTUM, { test: 'sample/1' });
  assert.equal(await page.locator('.branching').getAttribute('aria-label'),
    'sum 3: 1, sum 4: 3, sum 5: 6, sum 6: 7, sum 7: 6, sum 8: 3, sum 9: 1');
  assert.equal(await page.locator('.cube').count(), 27);
});

for (const problem of [DETERMINISTIC, QUANTUM]) {
  check(`${problem}: going back restores what was there`, async () => {
    const page = await openGame(problem, { test: 'sample/1' });
    const start = await markup(page);
    for (let step = 0; step < 4; step += 1) await page.keyboard.press('ArrowRight');
    const fourth = await markup(page);
    assert.notEqual(fourth, start);
    for (const key of ['ArrowRight', 'ArrowRight', 'ArrowLeft', 'ArrowLeft']) await page.keyboard.press(key);
    assert.equal(await markup(page), fourth);
    await page.keyboard.press('End');
    await go(page, 4);
    assert.equal(await markup(page), fourth);
    await page.keyboard.press('r');
    assert.equal(await markup(page), start);
  });

  check(`${problem}: five times as fast to the end, and once more`, async () => {
    const page = await openGame(problem, { test: 'sample/1' });
    await go(page, await last(page) - 3);
    await page.locator('h1').click();
    await page.keyboard.press('5');
    await page.keyboard.press(' ');
    await page.getByRole('heading', { name: /^Player 1 wins/ }).waitFor();
    await page.keyboard.press('Escape');
    await page.locator('dialog').waitFor({ state: 'detached' });
    assert.equal(await page.locator('.answer').textContent(), answer(problem, 'sample/1'));
    await page.keyboard.press('ArrowLeft');
    await page.keyboard.press('ArrowRight');
    await page.getByRole('button', { name: 'Once more' }).press('Enter');
    assert.match(await page.locator('.words').textContent(), /^Start/);
    assert.deepEqual(page.faults, []);
  });

  check(`${problem}: the page is accessible and fits`, async () => {
    for (const colorScheme of ['light', 'dark']) {
      const page = await openGame(problem, { test: 'sample/1' }, { colorScheme });
      for (const position of [7, await last(page)]) {
        await go(page, position);
        assert.deepEqual(await violations(page), [], `${colorScheme}, position ${position}`);
      }
      await assertFits(page);
      assert.deepEqual(page.faults, []);
    }
  });
}

check('the keyboard alone chooses the map', async () => {
  const page = await openGame(QUANTUM, { test: 'sample/1' });
  await go(page, 5);
  const seen = [];
  await page.locator('h1').click();
  while (!seen.includes('BODY') && seen.length < 40) {
    await page.keyboard.press('Tab');
    seen.push(await page.evaluate(() => document.activeElement.tagName));
    if (seen.at(-1) === 'SELECT') {
      await page.keyboard.press('s');
      assert.equal(await page.locator('.map .cell.three').count() > 0, true, 'score against score');
    }
  }
  assert.ok(seen.includes('SELECT') && seen.includes('BODY'), `${seen}`);
  assert.equal(await slider(page).inputValue(), '5', 'the letter was for the choice');
});
