// The page of a run, opened from a file.

import assert from 'node:assert/strict';

import { Workspace, assertFits, cell, check, letters, once, open, unfold, violations } from './grader.mjs';

const SUM = 'read a b\necho $((a + b))\n';
const CASES = { 'sample/1': ['1 2\n', '3\n'] };
for (const n of [1, 2, 3, 4, 5]) CASES[`secret/${n}`] = [`${n} 30\n`, `${n + 30}\n`];

// Says what is between the secret and the guess; after four guesses it gives up.
const INTERACTOR = `read secret < $1
for turn in 1 2 3 4; do
  read guess
  [ $guess -eq $secret ] && { echo right; exit 42; }
  [ $guess -gt $secret ] && echo high || echo low
done
echo 'four guesses were not enough' > $3/judgemessage.txt
exit 43
`;

/** Nine submissions, of which four are not what their folders say. */
const results = once(() => {
  const workspace = new Workspace();
  workspace.problem('sum', 'limits.time_limit = 0.5\nreference = "accepted/sum.sh"\n', CASES, {
    'submissions/accepted/sum.sh': SUM,
    'submissions/accepted/minus.sh': 'read a b\necho $((a - b)) is it\necho subtracting >&2\n',
    'submissions/accepted/broken.py': 'def f(:\n',
    'submissions/wrong_answer/const.sh': 'echo 3\n',
    'submissions/wrong_answer/right.sh': SUM,
    'submissions/run_time_error/crash.sh': 'echo no more >&2\nexit 7\n',
    'submissions/time_limit_exceeded/loop.sh': 'while :; do :; done\n',
  });
  const guesser = (step) => `n=3\nwhile echo $n; read said; do [ $said = right ] && exit; n=$((n + ${step})); done\n`;
  const secrets = { 'secret/1': ['6\n', ''], 'secret/2': ['9\n', ''] };
  workspace.problem('guess', 'type = "interactive"\nlimits.time_limit = 1\n', secrets, {
    'output_validator/talk.sh': INTERACTOR,
    'submissions/accepted/by_one.sh': guesser(1),
    'submissions/wrong_answer/by_two.sh': guesser(2),
  });
  workspace.grader(['run', '--report', 'html=out.html'], 1);
  return workspace;
});
const show = (options) => open(results().url('out.html'), options);
const dialog = (page) => page.locator('dialog#case');
/** Whether a person sees the beginning of an element: it is in the window, and nothing is painted over it. */
const onTop = (locator) => locator.evaluate((element) => {
  const { left, top, height } = element.getBoundingClientRect();
  return element.contains(document.elementFromPoint(left + 3, top + height / 2));
});
const place = (page) => page.evaluate(() => {
  const { activeElement: at } = document;
  return at.matches('.grid td') ? `${at.closest('tr').querySelector('code').textContent} ${at.cellIndex - 4}` : at.tagName;
});
/** The places in heat maps that the Tab key reaches. */
const stops = async (page) => {
  await page.locator('#only').focus();
  const found = [];
  while (found.at(-1) !== 'BODY' && found.length < 60) {
    await page.keyboard.press('Tab');
    found.push(await place(page));
  }
  return found.filter((name) => name.includes('/'));
};
const press = async (page, ...keys) => {
  for (const key of keys) await page.keyboard.press(key);
  return place(page);
};

/** A page of a record with more submissions and tests than somebody wants to run. Every tenth submission fails. */
const large = (submissions, tests) => {
  const workspace = new Workspace();
  workspace.problem('sum', 'limits.time_limit = 1\nreference = "accepted/a.sh"\n', { 'secret/1': ['1 2\n', '3\n'] }, {
    'submissions/accepted/a.sh': SUM,
    'submissions/accepted/b.sh': 'echo 4\n',
  });
  workspace.grader(['run', '--report', 'jsonl=small.jsonl'], 1);
  const events = workspace.events('small.jsonl');
  const [head] = events, [problem] = head.problems, kinds = problem.submissions;
  const made = [...Array(submissions).keys()].map((run) => {
    const kind = run % 10 === 9 ? 1 : 0;
    return { run, kind, submission: `accepted/row-${String(run).padStart(3, '0')}.sh` };
  });
  problem.tests = tests;
  problem.submissions = made.map(({ kind, submission }) => ({ ...kinds[kind], submission }));
  const isOf = (run) => (event) => (event.of?.run ?? event.run) === run;
  const copies = ({ run, kind, submission }) => events.filter(isOf(kind)).flatMap((event) => {
    if (!event.of) return { ...event, run, submission };
    const copy = { ...event, of: { ...event.of, run, submission } };
    if (event.event !== 'test_finished') return copy;
    return [...Array(tests).keys()].map((ordinal) => ({ ...copy, ordinal, test: `secret/${ordinal + 1}` }));
  });
  const lines = [head, ...made.flatMap(copies), events.at(-1)];
  workspace.record('large.jsonl', lines).grader(['report', 'large.jsonl', '--report', 'html=out.html']);
  return workspace.url('out.html');
};

check('the page opens from a file, asks for nothing, and names what is unexpected', async () => {
  const page = await show();
  assert.match(await page.locator('h1').textContent(), /^5 as expected so far, 4 unexpected/);
  const expected = [
    'AC sum · wrong_answer/right.sh expected WA, got AC',
    'CE sum · accepted/broken.py expected AC, got CE',
    'WA guess · accepted/by_one.sh expected AC, got WA',
    'WA sum · accepted/minus.sh expected AC, got WA',
  ];
  // The first failing test may follow.
  const found = (await page.locator('.unexpected li').allTextContents()).sort();
  assert.deepEqual(found.map((text, at) => text.slice(0, expected[at]?.length)), expected);
  assert.deepEqual(page.faults, []);
});

check('a link of the unexpected list leads to a row that nothing covers', async () => {
  const page = await show();
  await page.locator('.unexpected').getByText('minus.sh').click();
  const row = page.locator('tr:target');
  assert.match(await row.textContent(), /^accepted\/minus\.sh/);
  assert.equal(await onTop(row.locator('code')), true, 'neither the filter nor the names of tests cover it');
});

check('the heat map has a letter for each result, and a click explains it', async () => {
  const page = await show();
  assert.deepEqual(await letters(page, 0), { 'accepted/by_one.sh': 'AW', 'wrong_answer/by_two.sh': 'W·' });
  assert.deepEqual(await letters(page, 1), {
    'accepted/broken.py': '······',
    'accepted/minus.sh': 'WWWWWW',
    'accepted/sum.sh': 'AAAAAA',
    'run_time_error/crash.sh': 'R·····',
    'time_limit_exceeded/loop.sh': 'T·····',
    'wrong_answer/const.sh': 'AW····',
    'wrong_answer/right.sh': 'AAAAAA',
  });
  await cell(page, 'accepted/minus.sh', 1).click();
  const said = await dialog(page).innerText();
  for (const part of ['accepted/minus.sh · secret/1', 'wrong answer, ', ' MiB', '1 30', 'expected `31`, got `-29`',
    'subtracting', 'grader run sum -s accepted/minus.sh -t secret/1']) {
    assert.ok(said.includes(part), `${part} in ${said}`);
  }
  const words = (kind) => dialog(page).locator(`.word.${kind}`).allTextContents();
  assert.deepEqual([await words('good'), await words('bad')], [['31'], ['-29', 'is', 'it']]);
  const below = (heading) => dialog(page).locator(`:is(h3, h4):text-is("${heading}") + pre`).innerText();
  assert.deepEqual([(await below('answer')).trim(), (await below('output')).trim()], ['31', '-29 is it']);
  await page.keyboard.press('Escape');
  assert.equal(await dialog(page).isVisible(), false);
  await cell(page, 'time_limit_exceeded/loop.sh', 0).click();
  assert.match(await page.locator('#case-facts').textContent(), /^time limit exceeded, more than 0\.\d+ s, /);
  await page.getByRole('button', { name: 'Close' }).click();
  assert.equal(await dialog(page).isVisible(), false);
  await cell(page, 'accepted/broken.py', 2).click();
  assert.match(await dialog(page).innerText(), /SyntaxError/);
  assert.deepEqual(page.faults, []);
});

check('the keyboard alone reaches every cell, its explanation, and the way back', async () => {
  const page = await show();
  assert.deepEqual(await stops(page), ['accepted/by_one.sh 0', 'accepted/broken.py 0'], 'each map is one stop');
  await page.locator('table.grid').nth(1).locator('td[tabindex="0"]').focus();
  assert.equal(await press(page, 'ArrowLeft', 'ArrowUp'), 'accepted/broken.py 0', 'nothing is beyond the edges');
  assert.equal(await press(page, 'ArrowDown', 'ArrowDown', 'ArrowUp', 'ArrowRight', 'ArrowRight'), 'accepted/minus.sh 2');
  assert.equal(await press(page, 'ArrowLeft'), 'accepted/minus.sh 1');
  assert.equal(await press(page, 'End'), 'accepted/minus.sh 5');
  assert.equal(await press(page, 'ArrowRight'), 'accepted/minus.sh 5');
  assert.equal(await press(page, 'Home'), 'accepted/minus.sh 0');
  await press(page, 'ArrowRight', 'Enter');
  assert.match(await dialog(page).locator('h2').textContent(), /minus\.sh · secret\/1/);
  assert.equal(await press(page, 'Escape'), 'accepted/minus.sh 1', 'the focus returns');
  await press(page, 'Space');
  assert.equal(await dialog(page).isVisible(), true);
  await press(page, 'Escape');
  assert.deepEqual(await stops(page), ['accepted/by_one.sh 0', 'accepted/minus.sh 1'], 'the map remembers its stop');
});

check('the keyboard reaches the rows that a filter leaves', async () => {
  const page = await show();
  await page.locator('#filter').fill('crash');
  assert.deepEqual(await stops(page), ['run_time_error/crash.sh 0']);
});

check('the names of submissions and tests stay in view in a large map', async () => {
  const page = await open(large(40, 60));
  const boxes = () => page.locator('.scroll:has(table.grid)').evaluate((area) => {
    area.scrollIntoView();
    area.scrollTo(10_000, 10_000);
    const box = (of) => of.getBoundingClientRect().toJSON();
    const rows = area.querySelectorAll('tbody tr'), { cells } = area.querySelector('thead tr');
    const last = rows[rows.length - 1];
    return { area: box(area), test: box(cells[cells.length - 1]), name: box(last.cells[0]), cell: box(last.cells[63]),
      scrolled: [area.scrollLeft, area.scrollTop] };
  });
  const { area, test, name, cell: last, scrolled } = await boxes();
  assert.ok(scrolled.every((by) => by > 100), `the map is larger than its area: ${scrolled}`);
  assert.ok(Math.abs(test.top - area.top) <= 1 && test.right <= area.right + 1, 'the names of tests are at the top');
  assert.ok(Math.abs(name.left - area.left) <= 1 && name.bottom <= area.bottom + 1, 'the names of submissions are at the left');
  assert.ok(last.left >= name.right && last.top >= test.bottom, 'they do not cover the last cell');
});

check('the cell with the focus is never below the names of submissions and tests', async () => {
  const page = await open(large(40, 60));
  await page.locator('table.grid td[tabindex="0"]').focus();
  await press(page, 'End', ...Array(39).fill('ArrowDown'));
  const covered = [];
  for (const key of [...Array(39).fill('ArrowUp'), ...Array(59).fill('ArrowLeft')]) {
    const at = await press(page, key);
    if (!await onTop(page.locator('td:focus'))) covered.push(at);
  }
  assert.equal(await place(page), 'accepted/row-000.sh 0');
  assert.deepEqual(covered, []);
});

check('the filter shows rows by name, by result and by need', async () => {
  const page = await open(large(100, 200));
  const shown = () => page.locator('table.grid tbody tr:visible').count();
  const count = () => page.locator('#shown').textContent();
  assert.equal(await shown(), 100);
  const filter = (text) => page.getByRole('searchbox', { name: 'Submissions' }).fill(text);
  await filter('ROW-01');
  assert.deepEqual([await shown(), await count()], [10, '10 of 100 rows']);
  await filter('row-0 wa');
  assert.deepEqual([await shown(), await count()], [10, '10 of 100 rows']);
  assert.deepEqual([await page.locator('#r19').isVisible(), await page.locator('#r20').isVisible()], [true, false]);
  await filter('no such');
  assert.deepEqual([await shown(), await count()], [0, '0 of 100 rows']);
  await filter('');
  assert.deepEqual([await shown(), await count()], [100, '']);
  await page.getByLabel('only what needs a look').check();
  assert.deepEqual([await shown(), await count()], [10, '10 of 100 rows']);
  assert.equal((await letters(page))['accepted/row-019.sh'], 'W'.repeat(200));
  assert.deepEqual(page.faults, []);
});

check('cells without an explanation say which option or setting helps', async () => {
  const page = await show();
  const said = async (name, test) => {
    await cell(page, name, test).click();
    const text = await dialog(page).innerText();
    await page.keyboard.press('Escape');
    return text;
  };
  assert.match(await said('wrong_answer/const.sh', 3), /not run\n[^]*--all-tests/);
  // Three of six failures are explained.
  assert.match(await said('accepted/minus.sh', 2), /grader run sum/);
  assert.match(await said('accepted/minus.sh', 3), /wrong answer, [^]*report_failures/);
  assert.doesNotMatch(await said('accepted/sum.sh', 0), /report_failures|--all-tests/);
});

check('a conversation is shown as a dialogue of two sides with times', async () => {
  const page = await show();
  await cell(page, 'accepted/by_one.sh', 1).click();
  const turns = await dialog(page).locator('.talk li').evaluateAll((items) => items.map((item) => {
    const { left, width } = item.querySelector('code').getBoundingClientRect();
    const side = left + width / 2 < item.getBoundingClientRect().left + item.offsetWidth / 2 ? 'left' : 'right';
    return `${side} ${item.textContent.replace(/\d+\.\d{2,} s/, 'TIME').replace(/\s+/g, ' ').trim()}`;
  }));
  const expected = [3, 4, 5, 6].flatMap((n) => [`right TIME submission ${n}`, 'left TIME judge low']);
  assert.deepEqual(turns.slice(0, 8), expected);
  assert.match(await dialog(page).innerText(), /four guesses were not enough/);
});

check('light and dark schemes differ, and no width makes the page scroll sideways', async () => {
  const backgrounds = [];
  for (const colorScheme of ['light', 'dark']) {
    const page = await show({ colorScheme });
    backgrounds.push(await page.evaluate(() => getComputedStyle(document.body).backgroundColor));
    await assertFits(page, async (width) => {
      await cell(page, 'accepted/minus.sh', 0).click();
      const box = await dialog(page).boundingBox();
      assert.ok(box.x >= 0 && box.x + box.width <= width, `the dialog is at ${box.x}, ${box.width} wide, in ${width}`);
      await page.keyboard.press('Escape');
    });
  }
  assert.notEqual(...backgrounds);
});

for (const colorScheme of ['light', 'dark']) {
  check(`axe finds nothing in a run's page, ${colorScheme}`, async () => {
    const page = await show({ colorScheme });
    const found = { closed: await violations(page) };
    await unfold(page);
    found.open = await violations(page);
    for (const [name, test] of [['accepted/by_one.sh', 1], ['accepted/minus.sh', 0]]) {
      await cell(page, name, test).click();
      found[name] = await violations(page);
      await page.keyboard.press('Escape');
    }
    assert.deepEqual(found, { closed: [], open: [], 'accepted/by_one.sh': [], 'accepted/minus.sh': [] });
  });
}

check('paper has the explanations and no filter', async () => {
  const page = await show();
  await page.emulateMedia({ media: 'print' });
  await page.evaluate(() => dispatchEvent(new Event('beforeprint')));
  assert.equal(await page.locator('.filter').isVisible(), false);
  assert.equal(await page.locator('.why pre').first().isVisible(), true);
  assert.equal(await page.locator('details:not([open], .whole)').count(), 0);
  await page.evaluate(() => dispatchEvent(new Event('afterprint')));
  assert.equal(await page.locator('.why pre').first().isVisible(), false);
  const pdf = await page.pdf();
  assert.equal(pdf.subarray(0, 5).toString(), '%PDF-');
});

/** The page of one program, which fails a sample with a long input and a secret test. */
const sole = once(() => {
  const workspace = new Workspace();
  const long = Array.from({ length: 300 }, (_, n) => `${n}`).join('\n');
  const cases = { 'sample/1': ['1\n', '1\n'], 'sample/2': [`${long}\n`, '2\n'], 'secret/1': ['3\n', '3\n'] };
  workspace.problem('one', 'limits.time_limit = 5\n', cases, { 'submissions/accepted/a.sh': 'echo 1\n' });
  workspace.grader(['run', '-a', '--report', 'html=out.html'], 1);
  return workspace.url('out.html');
});
// The text whether or not it is in view: `innerText` is empty for what the page does not draw.
const opened = (page) => page.locator('.why[open] > summary').allTextContents();

check('the page of one program begins with its first failure; keys and buttons lead to the others', async () => {
  const page = await open(sole());
  assert.equal(await page.locator('h1').innerText(), 'Wrong answer on sample 2');
  assert.equal(await page.locator('h1').getAttribute('class'), 'attention');
  assert.match(await page.locator('.facts').innerText(), /3 results in/);
  for (const absent of ['Which test kills', 'redundant', 'Needs a look']) {
    assert.equal(await page.getByText(absent).count(), 0, absent);
  }
  assert.match((await opened(page)).join(), /sample\/2$/);
  await page.keyboard.press('n');
  assert.match((await opened(page)).join(), /^[^,]*secret\/1$/);
  assert.equal(await page.locator('.bar .at').innerText(), 'failure 2 of 2');
  assert.equal(await onTop(page.locator('.why[open] > summary')), true, 'the bar does not cover it');
  await page.keyboard.press('p');
  assert.match((await opened(page)).join(), /^[^,]*sample\/2$/);
  await page.locator('.bar').getByText('next failure').click();
  assert.match((await opened(page)).join(), /secret\/1$/);
  // In the dialog of a test the same keys lead to the next one.
  await cell(page, 'accepted/a.sh', 1).click();
  assert.match(await page.locator('#case-title').innerText(), /sample\/2$/);
  await page.keyboard.press('n');
  assert.match(await page.locator('#case-title').innerText(), /secret\/1$/);
  await dialog(page).getByText('previous failure').click();
  assert.match(await dialog(page).innerText(), /sample\/2[^]*failure 1 of 2[^]*expected `2`, got `1`/);
  assert.deepEqual(await violations(page), []);
  assert.deepEqual(page.faults, []);
});

check('outputs without answers are shown', async () => {
  const workspace = new Workspace();
  workspace.file('day/a.sh', 'read x; echo "twice $((2 * x))"; echo debugging >&2\n').file('day/1.in', '21\n');
  workspace.grader(['run', 'day', '--report', 'html=out.html'], 0);
  const page = await open(workspace.url('out.html'));
  assert.equal(await page.locator('h1').innerText(), 'No answer to compare with');
  const why = page.locator('main details.why[open]');
  assert.match(await why.innerText(), /no answer a.sh · 1[^]*debugging[^]*input[^]*21[^]*output[^]*twice 42/);
  assert.match(await page.locator('.bar').innerText(), /next output[^]*output 1 of 1/);
  assert.deepEqual(await violations(page), []);
  assert.deepEqual(page.faults, []);
});

check('a long input says what is shown of it, unfolds whole, and can be copied', async () => {
  const page = await open(sole());
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']).catch(() => {});
  const input = page.locator('.why[open] .text', { has: page.getByRole('heading', { name: 'input', exact: true }) });
  assert.match(await input.innerText(), /292 of 300 lines not shown[^]*lines 1–6 and 299–300 of 300/);
  await input.getByText('unfold: 300 lines').click();
  assert.equal((await input.locator('.whole pre').textContent()).split('\n').length, 300);
  await input.getByRole('button', { name: 'copy' }).click();
  await input.getByRole('button', { name: 'copied' }).waitFor();
  assert.equal((await page.evaluate(() => navigator.clipboard.readText())).split('\n')[299], '299');
});

check('on a phone the map shows tests, says that it goes on, and nothing lies under the bar', async () => {
  const page = await open(large(3, 60), { viewport: { width: 380, height: 700 } });
  const map = page.locator('.scroll').first();
  const seen = await map.locator('tbody tr').first().locator('td').evaluateAll((cells) =>
    cells.filter((at) => at.offsetWidth > 0 && at.getBoundingClientRect().right <= 380).length);
  assert.ok(seen >= 5, `${seen} columns are in view`);
  assert.match(await map.getAttribute('class'), /more/);
  await map.evaluate((area) => { area.scrollLeft = area.scrollWidth; });
  await page.waitForFunction(() => !document.querySelector('.scroll').matches('.more'));
  const bar = await page.locator('.bar').evaluate((at) => at.offsetHeight);
  const room = await page.evaluate(() => parseFloat(getComputedStyle(document.documentElement).scrollPaddingTop));
  assert.ok(room >= bar, `${room} px are kept free above for a bar of ${bar} px`);
});

check('without JavaScript the page can be read', async () => {
  const page = await show({ javaScriptEnabled: false });
  assert.equal(await page.locator('table.grid').nth(1).locator('tbody tr').count(), 7);
  assert.equal(await cell(page, 'accepted/minus.sh', 0).innerText(), 'W');
  assert.equal(await page.locator('.chart svg').first().isVisible(), true);
  for (const summary of await page.locator('summary').all()) if (await summary.isVisible()) await summary.click();
  const why = page.locator('.why', { hasText: 'minus.sh' }).first();
  assert.match(await why.innerText(), /subtracting[^]*grader run sum/);
  assert.deepEqual(page.faults, []);
});
