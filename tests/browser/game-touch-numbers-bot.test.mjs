// Touch numbers, the bot: games of submissions against the judge, replayed.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';

import { withProblem } from './games.mjs';
import { assertFits, check, once, open as openPage, violations } from './grader.mjs';

const SLUG = 'touch-numbers-bot';
const VALIDATOR = `problems/${SLUG}/output_validator`;

/** The judge of the problem as a program. In its place there is one that leaves the file `game.txt`. */
const judge = once(() => {
  const workspace = withProblem(SLUG), program = workspace.path('judge');
  const args = ['-O', '--edition', '2021', '-o', program, workspace.path(`${VALIDATOR}/validate.rs`)];
  const run = spawnSync('rustc', args, { encoding: 'utf8' });
  assert.equal(run.status, 0, run.stderr);
  fs.rmSync(workspace.path(VALIDATOR), { recursive: true });
  workspace.file(`${VALIDATOR}/replay.sh`, `cp ${workspace.path('game.txt')} $3\nexit 42\n`);
  workspace.file('silent.sh', '');
  return program;
});

/**
 * Plays a test case with a submission that sends the given bytes, whatever it hears. `change` may change the record of
 * the game before it is made visible. What comes back: the address of the page, or why there is none, and the judge's
 * words.
 */
const play = (test, bytes, change = (record) => record) => {
  const program = judge(), workspace = withProblem(SLUG);
  const feedback = `${fs.mkdtempSync(workspace.path('feedback-'))}/`;
  const files = ['in', 'ans'].map((end) => workspace.path(`testcases/${SLUG}/${test}.${end}`));
  const { status } = spawnSync(program, [...files, feedback], { input: bytes });
  const message = fs.readFileSync(`${feedback}judgemessage.txt`, 'utf8');
  const record = fs.readFileSync(`${feedback}game.txt`, 'utf8');
  workspace.file('game.txt', change(record));
  const draw = (expected) => workspace.grader(
    ['visualize', SLUG, test, '-s', 'silent.sh', '--out', feedback], expected);
  if (change.isRefused) return { refused: draw(1) };
  draw(0);
  const file = path.join(feedback, 'silent.sh', test, 'judgeimage.html');
  const [, data] = /id="data">(.*)<\/script>/.exec(fs.readFileSync(file, 'utf8'));
  return { status, message, record, data, url: workspace.url(path.relative(workspace.dir, file)) };
};

const lines = (text) => `${text.split(' ').join('\n')}\n`;
// These lose sample/2 with move 44; the judge answers each in the same way every time.
const LOST = lines('ll ll ll ll ll ll ll ll ll lr rl rl rl rl rl rl rl rl rl rl rl rl');
const open = (url, options) => openPage(url, { reducedMotion: 'reduce', ...options });
const words = (page) => page.locator('.words').textContent();
/** The digits on the board: the judge's right and left, then the submission's left and right. */
const board = (page) => page.locator('.hand b').allTextContents();

/** The moves by which the submission gave something away, as the judge's message has the first of them. */
const slip = (message) => /its move (\d+), (..) at (\d \d \d \d), turned DRAW into LOSE/.exec(message);

check('the move that threw the game away is marked in the list and on the board', async () => {
  const { status, message, url } = play('sample/2', LOST);
  assert.equal(status, 43);
  const [, number, move, position] = slip(message);
  const page = await open(url);
  assert.match(await page.locator('.box.rejected').textContent(), /Rejected.*two fists and says LOSE/);
  const marked = await page.locator('.talk li', { hasText: '✗' }).allTextContents();
  assert.equal(marked.length, 1);
  assert.match(marked[0], new RegExp(`^${number}submission${move}✗ turned a draw into a loss`));
  assert.ok(!(await page.locator('.arena.thrown').count()));
  await page.getByRole('button', { name: `Move ${number}, ${move}` }).click();
  assert.match(await words(page), new RegExp(`^Move ${number}, the submission: .* turned a draw into a loss`));
  assert.match(await page.locator('.arena.thrown .mark').textContent(), /This turned a draw into a loss\. Better: /);
  await page.keyboard.press('ArrowLeft');
  assert.ok(!(await page.locator('.arena.thrown').count()));
  const [right, left, own, other] = await board(page);
  assert.equal([own, other, left, right].join(' '), position);
  await page.getByLabel('Show what positions are worth').check();
  await page.keyboard.press('ArrowRight');
  assert.match(await page.locator('.worth').textContent(), /a draw before this move, a loss in 3 moves after it/);
  // Whatever is drawn depends on the position alone.
  await page.keyboard.press('End');
  const end = await board(page);
  assert.match(await words(page), /The judge has two fists/);
  await page.keyboard.press('Home');
  assert.deepEqual(await board(page), ['1', '1', '1', '1']);
  await page.keyboard.press('End');
  assert.deepEqual(await board(page), end);
  assert.deepEqual(page.faults, []);
});

check('a game that was won has nothing to mark', async () => {
  const { status, record, url } = play('sample/1', lines('ll lr rr'));
  assert.equal(status, 42);
  assert.match(record, /^start 2 3 4 1\nside second\nstyle random\njudge rr\nbot ll\n[^]*end WIN accepted finished\n$/);
  const page = await open(url);
  assert.match(await page.locator('.box.accepted').textContent(), /✓ Accepted.*No move .* gave anything away/);
  assert.equal(await page.locator('.talk', { hasText: '✗' }).count(), 0);
  await page.keyboard.press('End');
  assert.match(await words(page), /^Move 6, the submission: .* The submission has two fists/);
  assert.deepEqual(await page.locator('.talk code').allTextContents(),
    ['second', '2 3 4 1', 'rr', 'll', 'll', 'lr', 'rr', 'rr', 'WIN']);
});

check('a line of the submission is text, whatever it is', async () => {
  const hostile = Buffer.concat([Buffer.from('ll\n</script><img src=x onerror=alert(1)>\\'),
    Buffer.from([0, 255, 226, 128, 174, 10])]);
  const { status, data, url } = play('sample/2', hostile);
  assert.equal(status, 43);
  assert.match(data, /^[ -~\n]*$/);
  assert.ok(!data.includes('<'));
  const page = await open(url);
  await page.keyboard.press('End');
  const shown = '</script><img src=x onerror=alert(1)>\\\\\\x00\\xff\\xe2\\x80\\xae';
  assert.equal(await page.locator('.sent code').textContent(), shown);
  assert.ok((await page.locator('.talk code').allTextContents()).includes(shown));
  assert.match(await page.locator('.arena.thrown .mark').textContent(), /no move/);
  assert.equal(await page.locator('img').count(), 0);
  await assertFits(page);
  assert.deepEqual(await violations(page), []);
  assert.deepEqual(page.faults, []);
});

check('whatever ends a game is told', async () => {
  const long = play('sample/2', 'l'.repeat(70_000));
  assert.equal(JSON.parse(long.data).data.end.line.length, 64);
  const cases = [
    [play('sample/2', lines('ll lr rl rr ll')), 'move needs a hand that shows 0', 'll'],
    [play('sample/2', 'll\nl'), 'ended instead of a move', 'l'],
    [play('sample/2', ''), 'ended instead of a move', null],
    [long, 'much longer than a move', 'l'.repeat(64)],
    [play('sample/2', LOST, (record) => record.replace(/end .*\n$/, '')), 'The record stops here', null],
  ];
  for (const [{ url }, told, line] of cases) {
    const page = await open(url);
    await page.keyboard.press('End');
    assert.ok((await words(page)).includes(told), `${await words(page)}: ${told}`);
    if (line !== null) assert.equal(await page.locator('.sent code').textContent(), line);
    await assertFits(page);
    assert.deepEqual(page.faults, []);
  }
});

check('a record that does not follow the rules is refused', async () => {
  const wrong = [
    [/LOSE rejected/, 'WIN accepted'], [/bot ll/, 'bot xx'], [/judge/, 'bot'], [/start 1/, 'start 2'],
    [/finished/, 'because'], [/$/, 'bot ll\n'], [/bot ll\n/, ''], [/finished/, 'closed -'], [/finished/, 'limit'],
  ];
  for (const [from, to] of wrong) {
    const change = Object.assign((record) => record.replace(from, to), { isRefused: true });
    assert.match(play('sample/2', LOST, change).refused, /no picture: /, `${from} to ${to}`);
  }
});

check('the page is in order, light and dark, narrow and wide, and the keyboard is enough', async () => {
  const { url } = play('sample/2', LOST);
  const page = await open(url, { colorScheme: 'dark' });
  await page.getByLabel('Show what positions are worth').focus();
  await page.keyboard.press('Space');
  assert.ok(await page.locator('.worth').isVisible());
  await page.evaluate(() => document.activeElement.blur());
  await page.keyboard.press('ArrowRight');
  assert.match(await words(page), /^Move 1, the submission: left 1 touches left 1 and becomes 2/);
  for (let i = 0; i < 30 && !(await page.evaluate(() => /^Move 4/.test(document.activeElement.textContent))); i++) {
    await page.keyboard.press('Tab');
  }
  await page.keyboard.press('Enter');
  assert.match(await words(page), /turned a draw into a loss/);
  assert.deepEqual(await violations(page), []);
  await page.emulateMedia({ colorScheme: 'light' });
  assert.deepEqual(await violations(page), []);
  await assertFits(page);
  assert.deepEqual(page.faults, []);
});
