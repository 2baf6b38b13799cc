// Touch numbers: the game against the bot, and the booklet of the whole strategy.

import assert from 'node:assert/strict';

import { openGame } from './games.mjs';
import { assertFits, check, once, violations } from './grader.mjs';

// The game once more, solved by sweeps: 1, 0 or -1 for the player to move, and the plies to the end of what is decided.
const after = ([a, b, c, d], move) => {
  const own = [a, b], mine = move >> 1, theirs = [c, d][move & 1];
  if (!own[mine] || !theirs) return null;
  own[mine] = (own[mine] + theirs) % 10;
  return [c, d, ...own];
};
const nextOf = (state) => [0, 1, 2, 3].map((move) => after(state, move)).filter(Boolean);
const over = ([a, b, c, d]) => a + b === 0 || c + d === 0;
const solved = once(() => {
  const all = Array.from({ length: 10_000 }, (_, n) => [...String(n).padStart(4, '0')].map(Number));
  const found = new Map(all.filter(([a, b, c, d]) => a + b && !(c + d)).map((state) => [state.join(''), [-1, 0]]));
  for (let plies = 1, now = [0]; now.length; plies++) {
    now = [];
    for (const state of all) {
      if (over(state) || found.has(state.join(''))) continue;
      const values = nextOf(state).map((next) => found.get(next.join(''))?.[0] ?? 0);
      if (values.includes(-1)) now.push([state, 1]);
      else if (values.every((value) => value === 1)) now.push([state, -1]);
    }
    for (const [state, value] of now) found.set(state.join(''), [value, plies]);
  }
  return found;
});
const value = (state) => solved().get(state.join(''))?.[0] ?? 0;

/** The hands on the board: the reader's left and right, then the bot's. */
const hands = (page) => page.evaluate(() => {
  const texts = [...document.querySelectorAll('button.hand')].map((button) => button.textContent);
  return ['Your left', 'Your right', 'The bot’s left', 'The bot’s right'].map((name) =>
    Number(texts.find((text) => text.startsWith(name))[name.length + 1]));
});
// Hands that are out of the game are pressed, too.
const press = (page, name) => page.getByRole('button', { name }).click({ force: true });
const move = async (page, number) => {
  await press(page, `Your ${['left', 'right'][number >> 1]}`);
  await press(page, `The bot’s ${['left', 'right'][number & 1]}`);
};
const words = (page) => page.locator('.words').textContent();
const start = async (page, first, text) => {
  await page.locator('form select').first().selectOption(first);
  await page.getByLabel('Hands of whoever begins').selectOption('own');
  await page.getByRole('textbox').fill(text);
  await page.getByRole('button', { name: 'Start this game' }).click();
};
const still = { reducedMotion: 'reduce' };
const open = (options) => openGame('touch-numbers', { test: 'sample/1' }, { ...still, ...options });

check('the bot loses none of a thousand games', async () => {
  const page = await open();
  const results = await page.evaluate(() => {
    let seed = 1;
    const below = (bound) => (seed = (seed * 48271) % 2147483647) % bound;
    Math.random = () => below(1 << 20) / (1 << 20);
    const all = (who) => [...document.querySelectorAll(`button.hand.${who}:not([aria-disabled=true])`)];
    const [first] = document.querySelectorAll('form select'), results = {};
    for (let game = 0; game < 1000; game++) {
      first.value = game % 2 ? 'you' : 'bot';
      document.querySelector('form button').click();
      for (let ply = 0; ply < 20 && !document.querySelector('dialog'); ply++) {
        for (const who of ['you', 'bot']) {
          const usable = all(who);
          usable[below(usable.length)].click();
        }
      }
      const end = document.querySelector('dialog h2')?.textContent ?? 'open';
      results[end] = (results[end] ?? 0) + 1;
      document.querySelector('dialog')?.close();
      document.querySelector('dialog')?.remove();
    }
    return results;
  });
  assert.equal(Object.values(results).reduce((sum, count) => sum + count), 1000);
  assert.ok(results['The bot wins'] > 100, JSON.stringify(results));
  assert.ok(!results['You win!'], JSON.stringify(results));
  assert.deepEqual(page.faults, []);
});

check('whoever plays badly loses, sees the move that did it, and can go back to it', async () => {
  const page = await open();
  const boards = [await hands(page)];
  while (await page.locator('dialog').count() === 0) {
    const [a, b, c, d] = boards.at(-1), state = [a, b, c, d];
    const legal = [0, 1, 2, 3].filter((number) => after(state, number));
    // A win or an endless game for the bot is what this reader wants.
    const worst = legal.reduce((one, other) => (value(after(state, other)) > value(after(state, one)) ? other : one));
    await move(page, worst);
    boards.push(await hands(page));
    assert.ok(boards.length < 500, 'the game does not end');
  }
  const dialog = page.locator('dialog');
  assert.equal(await dialog.locator('h2').textContent(), 'The bot wins');
  assert.deepEqual(boards.at(-1).slice(2), [0, 0]);
  const slip = boards.findIndex((state, at) => value(state) === 0 && value(boards[at + 1] ?? state) < 0);
  assert.match(await dialog.textContent(), new RegExp(`Your move ${2 * slip + 1} turned a draw into a loss`));
  await dialog.getByRole('button', { name: 'Show that move' }).click();
  assert.deepEqual(await hands(page), boards[slip]);
  // Every second position is one of the reader's.
  await page.keyboard.press('Home');
  for (const board of boards) {
    assert.deepEqual(await hands(page), board);
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('ArrowRight');
  }
  assert.equal(await page.locator('dialog').count(), 0, 'the end is announced once');
  assert.deepEqual(page.faults, []);
});

check('a win is taken, a lost start is not blamed on the reader', async () => {
  const page = await open();
  await page.getByLabel('Hands of whoever begins').selectOption({ label: '9 0 against 1 5' });
  await page.getByRole('button', { name: 'Start this game' }).click();
  await move(page, 0);
  assert.equal(await page.locator('dialog h2').textContent(), 'You win!');
  await page.keyboard.press('Escape');
  await start(page, 'you', '5505');
  await move(page, 3);
  assert.match(await page.locator('dialog').textContent(), /The bot wins.*lost already/);
  await page.keyboard.press('Escape');
  await start(page, 'bot', '9015');
  assert.equal(await page.locator('dialog h2').textContent(), 'The bot wins');
  await page.keyboard.press('Escape');
  await start(page, 'you', '0012');
  assert.match(await page.getByRole('alert').textContent(), /Four digits/);
});

check('steps go back, a move from there begins a new line', async () => {
  const page = await open();
  const before = await hands(page);
  for (let i = 0; i < 3; i++) await move(page, 0);
  assert.match(await page.locator('.track').textContent(), /6\/6/);
  const end = await hands(page);
  await page.keyboard.press('Home');
  assert.deepEqual(await hands(page), before);
  await page.keyboard.press('End');
  assert.deepEqual(await hands(page), end);
  for (let i = 0; i < 4; i++) await page.keyboard.press('ArrowLeft');
  assert.match(await page.locator('.note').textContent(), /begins a new line/);
  await move(page, 3);
  assert.match(await page.locator('.track').textContent(), /4\/4/);
  // Where the bot is to move, the hands do nothing.
  await page.keyboard.press('ArrowLeft');
  const there = await hands(page);
  await move(page, 0);
  assert.deepEqual(await hands(page), there);
  assert.match(await words(page), /The bot is to move/);
});

check('a position that comes again is said to, and a draw can be agreed on', async () => {
  const page = await open();
  await page.evaluate(() => {
    let seed = 5;
    Math.random = () => (seed = (seed * 48271) % 2147483647) / 2147483647;
  });
  const note = page.locator('.note');
  const seen = new Set();
  let repeated = false;
  for (let ply = 0; ply < 400 && !repeated; ply++) {
    const state = await hands(page), key = `${state.slice(0, 2).sort()}|${state.slice(2).sort()}`;
    repeated = seen.has(key);
    assert.equal(/was there before/.test(await note.textContent()), repeated, key);
    seen.add(key);
    const good = [0, 1, 2, 3].filter((number) => after(state, number) && value(after(state, number)) === 0);
    if (!repeated) await move(page, good[ply % good.length]);
  }
  assert.ok(repeated, 'no position came again');
  await page.getByRole('button', { name: 'Agree on a draw' }).click();
  assert.equal(await page.locator('dialog h2').textContent(), 'A draw');
  await page.keyboard.press('Escape');
  await start(page, 'you', '5505');
  await page.getByRole('button', { name: 'Agree on a draw' }).click();
  assert.match(await note.textContent(), /does not agree/);
});

check('the value of each move is shown on request, and is right', async () => {
  const page = await open();
  await page.getByLabel('Hands of whoever begins').selectOption({ label: '6 2 against 2 6' });
  await page.getByRole('button', { name: 'Start this game' }).click();
  assert.ok(!(await page.locator('.worths').isVisible()));
  await page.getByLabel('Show what each move is worth').check();
  const shown = await page.locator('.worths li').evaluateAll((rows) => rows.map((row) => row.textContent));
  const right = [0, 1, 2, 3].map((number) => {
    const next = after([6, 2, 2, 6], number), [result, plies] = solved().get(next.join('')) ?? [0, 0];
    return result === 0 ? 'draw✓' : `${result < 0 ? 'win' : 'loss'} in ${plies + 1}${result < 0 ? '✓' : '✗'}`;
  });
  assert.equal(shown.length, 4);
  shown.forEach((text, number) => assert.ok(text.includes(right[number]), `${text}: ${right[number]}`));
  assert.deepEqual(await violations(page), []);
});

check('the keyboard is enough, and the page is in order, light and dark, narrow and wide', async () => {
  const page = await open({ colorScheme: 'dark' });
  await page.keyboard.press('a');
  assert.match(await page.locator('.hint').textContent(), /a hand of the bot/);
  assert.deepEqual(await violations(page), []);
  await page.keyboard.press('Escape');
  assert.match(await page.locator('.hint').textContent(), /one of your hands/);
  await page.keyboard.press('s');
  await page.keyboard.press('q');
  assert.deepEqual((await hands(page)).slice(0, 2), [1, 2]);
  // The same with Tab and Enter: the first stops are the hands.
  const tab = async (name) => {
    for (let i = 0; i < 60; i++) {
      const focused = await page.evaluate(() =>
        document.activeElement.closest('label, button, a, summary')?.textContent ?? '');
      if (focused.startsWith(name)) return;
      await page.keyboard.press('Tab');
    }
    assert.fail(`Tab never comes to ${name}`);
  };
  await tab('Your right');
  await page.keyboard.press('Enter');
  await tab('The bot’s left');
  await page.keyboard.press('Space');
  assert.match(await page.locator('.track').textContent(), /4\/4/);
  await tab('Hands of whoever begins');
  await page.keyboard.press('End');
  await tab('Four digits, such as');
  await page.keyboard.type('9 0 1 5');
  await page.keyboard.press('Enter');
  assert.deepEqual(await hands(page), [9, 0, 1, 5]);
  await page.evaluate(() => document.activeElement.blur());
  await page.keyboard.press('a');
  await page.keyboard.press('w');
  assert.equal(await page.locator('dialog h2').textContent(), 'You win!');
  assert.deepEqual(await violations(page), []);
  await page.keyboard.press('Escape');
  assert.doesNotMatch(await page.locator('.stage').textContent(), /null|undefined/);
  await assertFits(page);
  await page.emulateMedia({ colorScheme: 'light' });
  assert.deepEqual(await violations(page), []);
  assert.deepEqual(page.faults, []);
});

check('with motion, the answer of the bot is shown a little later', async () => {
  const page = await openGame('touch-numbers', { test: 'secret/18-random-largest' });
  await move(page, 0);
  assert.match(await page.locator('.track').textContent(), /1\/2/);
  await page.waitForFunction(() => document.querySelector('.track').textContent.includes('2/2'));
  assert.equal(await page.getByLabel('Hands of whoever begins').locator('option').count(), 202);
  assert.match(await page.locator('form').textContent(), /200 different positions of the 9,801/);
  assert.deepEqual(page.faults, []);
});

check('the booklet has every position that can happen, and its moves are right', async () => {
  const page = await openGame('touch-numbers', { test: 'secret/19-all' });
  const sorted = ([a, b, c, d]) => [...[a, b].sort(), ...[c, d].sort()];
  const reachable = new Map([['1111', [1, 1, 1, 1]]]);
  for (const state of reachable.values()) {
    for (const next of nextOf(state).map(sorted)) if (!over(next)) reachable.set(next.join(''), next);
  }
  const entries = await page.evaluate(() => [...document.querySelectorAll('.column ul')].flatMap((list) => {
    const title = list.previousElementSibling.textContent;
    return [...list.children].map((entry) => [title, entry.textContent, entry.closest('.sheet').id]);
  }));
  assert.equal(entries.length, reachable.size);
  const lead = await page.locator('.lead').textContent();
  assert.ok(lead.startsWith(`${reachable.size.toLocaleString('en')} positions`), lead);
  const index = await page.evaluate(() => {
    const [head, ...rows] = document.querySelectorAll('.index tr');
    const names = [...head.cells].map((cell) => cell.textContent);
    return Object.fromEntries(rows.flatMap((row) => [...row.cells].slice(1).map((cell, i) =>
      [row.cells[0].textContent.replace(' ', '') + names[i + 1], cell.textContent])));
  });
  const listed = new Set();
  for (const [title, text] of entries) {
    const own = /^You (\d \d)/.exec(title)?.[1];
    const [, position, mine, theirs, only] = /^(\d \d(?: · \d \d)?) {2}(\d)\+(\d)(!?)$/.exec(text);
    const state = `${own ?? ''}${position}`.match(/\d/g).map(Number), name = state.join('');
    const [result, plies] = solved().get(name) ?? [0, '·'];
    const played = [0, 1, 2, 3].find((number) => state[number >> 1] === +mine && state[2 + (number & 1)] === +theirs);
    const next = after(state, played);
    listed.add(name);
    assert.equal(0 - value(next), result, `${name} ${text}`);
    assert.ok(title.startsWith(['Loss in', 'You', 'Win in'][result + 1]), `${title}: ${name}`);
    if (result) {
      assert.equal(Number(/\d+/.exec(title)[0]), plies, `${title}: ${name}`);
      assert.equal(solved().get(next.join(''))[1], plies - 1, `${name} ${text} is not the best move`);
    }
    const others = [0, 1, 2, 3].map((number) => after(state, number))
      .filter((other) => other && sorted(other).join('') !== sorted(next).join(''));
    const alone = others.length > 0 && others.every((other) => 0 - value(other) !== result);
    assert.equal(only === '!', alone, `${name} ${text}`);
    assert.equal(index[name], `${plies}`, `the index for ${name}`);
  }
  assert.deepEqual([...listed].sort(), [...reachable.keys()].sort());
  assert.deepEqual(page.faults, []);
});

check('the booklet is as many pages of paper as it says, and in order on the screen', async () => {
  const page = await openGame('touch-numbers', { test: 'sample/1', args: ['booklet'] }, { colorScheme: 'dark' });
  const sheets = await page.locator('.sheet').count();
  assert.ok(sheets >= 5 && sheets <= 10, `${sheets} pages`);
  assert.match(await page.locator('.lead').textContent(), new RegExp(`on ${sheets} pages`));
  const pdf = (await page.pdf({ preferCSSPageSize: true })).toString('latin1');
  assert.equal(pdf.match(/\/Type\s*\/Page\b/g).length, sheets);
  const gaps = () => page.locator('.index tbody tr').evaluateAll((rows) => rows.map(({ cells: [label, value] }) => {
    const text = new Range();
    text.selectNodeContents(label);
    return value.getBoundingClientRect().left - text.getBoundingClientRect().right;
  }));
  assert.ok(Math.min(...await gaps()) >= 4, 'no label touches a value');
  // Nothing is cut off at the end of a page of paper.
  await page.emulateMedia({ media: 'print' });
  await page.setViewportSize({ width: 703, height: 1000 });
  const cut = await page.evaluate(() => [...document.querySelectorAll('.sheet')]
    .filter((sheet) => sheet.firstChild.getBoundingClientRect().bottom > sheet.lastChild.getBoundingClientRect().top ||
      sheet.scrollWidth > sheet.clientWidth).map((sheet) => sheet.id));
  assert.deepEqual(cut, []);
  assert.ok(!(await page.getByRole('button', { name: 'Print' }).isVisible()));
  await page.emulateMedia({ media: 'screen' });
  // The contents lead to their parts.
  for (const link of await page.locator('.cover a').all()) {
    const target = page.locator(await link.getAttribute('href'));
    const number = await link.locator('xpath=ancestor::tr/td[2]').textContent();
    assert.equal(await target.evaluate((part) => part.closest('.sheet').id), `page-${number}`);
  }
  await assertFits(page);
  // Thousands of entries are like one another: a few are enough for what takes long.
  await page.evaluate(() => {
    for (const list of document.querySelectorAll('.column ul')) list.replaceChildren(...[...list.children].slice(0, 2));
    for (const row of [...document.querySelectorAll('.index tr')].slice(6)) row.remove();
  });
  assert.deepEqual(await violations(page), []);
  await page.emulateMedia({ colorScheme: 'light' });
  assert.deepEqual(await violations(page), []);
  assert.deepEqual(page.faults, []);
});
