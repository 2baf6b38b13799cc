// The pages of a class: that of the staff, and one for each student.

import assert from 'node:assert/strict';
import fs from 'node:fs';

import { Workspace, assertFits, cell, check, once, open, same, violations } from './grader.mjs';

// Long enough to compare; nobody writes it twice by chance.
const SORT = `import sys

def merge(left, right):
    merged = []
    first = second = 0
    while first < len(left) and second < len(right):
        if left[first] <= right[second]:
            merged.append(left[first])
            first += 1
        else:
            merged.append(right[second])
            second += 1
    while first < len(left):
        merged.append(left[first])
        first += 1
    while second < len(right):
        merged.append(right[second])
        second += 1
    return merged

def order(values):
    if len(values) < 2:
        return values
    middle = len(values) // 2
    return merge(order(values[:middle]), order(values[middle:]))

def read():
    numbers = []
    for line in sys.stdin:
        for word in line.split():
            numbers.append(int(word))
    return numbers

def main():
    numbers = read()
    for number in order(numbers):
        print(number, end=" ")
    print()

main()
`;
const RENAMED = SORT.replace(/\b(merged|first|second|numbers|values|order|middle)\b/g, (name) => `my_${name}`);
// Some of it is an own work.
const PARTLY = RENAMED.replace(/    for number in [^]*?print\(\)\n/, '    print(*my_order(my_numbers))\n');
const HEAP = `import heapq, sys
heap = [int(word) for line in sys.stdin for word in line.split()]
heapq.heapify(heap)
while len(heap) > 1:
    smallest = heapq.heappop(heap)
    sys.stdout.write(str(smallest) + " ")
sys.stdout.write(f"{heap[0]}") if heap else sys.exit("there was no input at all")
`;
const COUNT = `counts = {}
for word in input().split():
    counts[int(word)] = 1 + (counts[int(word)] if int(word) in counts else 0)
for value in range(min(counts), max(counts) + 1):
    many = counts.get(value, 0)
    print(f"{value} " * many, end="" if value < max(counts) else "\\n")
`;
const INSERT = `row = []
for value in map(int, input().split()):
    at = len(row)
    while at > 0 and row[at - 1] > value:
        at -= 1
    row.insert(at, value)
assert all(a <= b for a, b in zip(row, row[1:])), "not in order"
print(*row)
`;
const SUM = 'read a b\necho $((a + b))\n';
const WRONG = 'echo 3\necho "an own remark" >&2\n';
const STUDENTS = ['Ann Abel', 'Bob Busch', 'Cid Cohn', 'Dan Dorn', 'Eve Esch', 'Fay Funk'];

/** Two problems; three print the same, and two have nearly the same program. */
const judged = once(() => {
  const workspace = new Workspace();
  workspace.problem('sum', 'limits.time_limit = 1\nname = "Two numbers"\n',
    { 'sample/1': ['1 2\n', '3\n'], 'secret/big': ['7700077 30\n', '7700107\n'] }, {});
  const cases = { 'sample/1': ['3 1 2\n', '1 2 3\n'], 'secret/1': ['55 44 44\n', '44 44 55\n'] };
  workspace.problem('sort', 'limits.time_limit = 2\n', cases, {});
  const [ann, bob, cid, dan, eve, fay] = STUDENTS;
  for (const [name, text] of [
    [`${ann}/sum.sh`, SUM], [`${bob}/sum.sh`, WRONG], [`${cid}/sum.sh`, `# mine\n${WRONG}`], [`${dan}/sum.sh`, `${WRONG}:\n`],
    [`${eve}/sum.py`, 'print(1\n'], [`${ann}/sort.py`, SORT], [`${bob}/sort.py`, RENAMED], [`${cid}/sort.py`, PARTLY],
    [`${dan}/sort.py`, HEAP], [`${eve}/sort.py`, COUNT], [`${fay}/sort.py`, INSERT],
  ]) {
    workspace.file(`class/${name}`, text);
  }
  workspace.grader(['judge', 'class', '--layout', '{student}/{problem}.*', '--report', 'html=class.html'], 1);
  return workspace;
});
/** The files of students' pages by name. */
const pages = () => {
  const files = fs.readdirSync(judged().path('class-students')).filter((name) => name.endsWith('.html')).sort();
  return Object.fromEntries(STUDENTS.map((name, at) => [name, `class-students/${files[at]}`]));
};
const show = (name = 'class.html', options = {}) => {
  const own = ['class.html', ...Object.values(pages())].map((file) => judged().url(file));
  return open(judged().url(name), options, (asked) => own.some((known) => same(known, asked)));
};
const rows = (page, table) => page.locator(`${table} tr`).evaluateAll((all) =>
  all.map((row) => [...row.cells].map((cell) => cell.textContent).join('|')));

check('a class is a table of students, problems and totals', async () => {
  const page = await show();
  assert.deepEqual(await rows(page, 'table.class'), [
    'student|sort|sum|total',
    'Ann Abel|AC 2/2|AC 2/2|2',
    'Bob Busch|AC 2/2|WA 1/2|1',
    'Cid Cohn|AC 2/2|WA 1/2|1',
    'Dan Dorn|AC 2/2|WA 1/2|1',
    'Eve Esch|AC 2/2|CE|1',
    'Fay Funk|AC 2/2|–|1', 'average|1|0.17|1.17',
  ]);
  assert.match(await page.locator('.chart').first().getAttribute('aria-label'), /points; 0: 0, 1: 5, 2: 1$/);
  await page.getByRole('searchbox', { name: 'Students' }).fill('cohn');
  const shown = await page.locator('table.filtered tbody tr:visible th').allInnerTexts();
  assert.deepEqual(shown.map((name) => name.split('/')[0]), Array(3).fill('Cid Cohn'), 'the filter is for all tables');
  assert.deepEqual(page.faults, []);
});

check('those who failed in the same way are one line, which leads to an explanation', async () => {
  const page = await show();
  const table = '[aria-label^="Equal failures in sum"]';
  assert.deepEqual((await rows(page, table)).slice(1), [
    '3|WA|secret/big|line 1, column 1: expected `7700107`, got `3`|Bob Busch, Cid Cohn, Dan Dorn',
  ]);
  await page.locator(`${table} a`).click();
  assert.match(await page.locator('tr:target').textContent(), /^Bob Busch/);
  await cell(page, 'Bob Busch/sum.sh', 1).click();
  assert.match(await page.locator('dialog').innerText(), /an own remark[^]*input[^]*7700077 30/);
});

check('nearly identical programs are named, honest ones are not', async () => {
  const page = await show();
  const section = page.locator('section', { has: page.locator('h2:text-is("sort")') });
  const equal = await section.locator('details.equal summary').allTextContents();
  assert.deepEqual(equal, ['2 equal but for names, layout and comments: Ann Abel, Bob Busch']);
  await section.locator('details.equal summary').click();
  assert.equal(await section.locator('details.equal .sides > *').count(), 2, 'both programs');
  // The honest ones have about eight lines.
  const left = await section.getByText('Comparing programs').allTextContents();
  for (const remark of left) assert.match(remark, /^Comparing programs: \d programs? (is|are) too short to compare\.$/);
  const pairs = section.locator('details.pair');
  assert.ok(await pairs.count() > 0, 'the partial copy');
  for (const pair of await pairs.locator('summary').allTextContents()) {
    assert.match(pair, /^\d+ % (Ann Abel|Bob Busch) \d+–\d+.* · Cid Cohn \d+–\d+/);
  }
  await pairs.first().locator('summary').click();
  assert.ok(await pairs.first().locator('section:last-child .part').count() > 0, 'the shared lines are marked');
});

check('a student sees the own results, nothing secret and nobody else', async () => {
  const page = await show();
  await page.getByRole('link', { name: 'Bob Busch' }).first().click();
  assert.equal(await page.locator('h1').textContent(), 'Bob Busch');
  assert.match(await page.locator('main').innerText(), /secret\/big: wrong answer/);
  assert.deepEqual(page.faults, []);
  for (const [name, file] of Object.entries(pages())) {
    const text = judged().read(file);
    for (const other of STUDENTS) assert.equal(text.includes(other.split(' ')[1]), other === name, `${other} in ${file}`);
    assert.doesNotMatch(text, /7700077|7700107|55 44 44/, file);
  }
});

for (const colorScheme of ['light', 'dark']) {
  check(`axe finds nothing in the pages of a class, ${colorScheme}`, async () => {
    const found = {};
    const staff = await show('class.html', { colorScheme });
    found.class = await violations(staff);
    await cell(staff, 'Bob Busch/sum.sh', 1).click();
    found.dialog = await violations(staff);
    found.student = await violations(await show(pages()['Eve Esch'], { colorScheme }));
    assert.deepEqual(found, { class: [], dialog: [], student: [] });
  });
}

check('the pages of a class do not scroll sideways', async () => {
  for (const name of ['class.html', pages()['Eve Esch']]) await assertFits(await show(name));
});

/** Three groups, two exercises; the roster knows everybody. */
const groups = once(() => {
  const workspace = new Workspace();
  for (const problem of ['minus', 'plus']) {
    const answers = { minus: ['-1\n', '6\n'], plus: ['3\n', '14\n'] }[problem];
    const cases = { 'sample/1': ['1 2\n', answers[0]], 'secret/1': ['10 4\n', answers[1]] };
    workspace.problem(problem, 'limits.time_limit = 2\n', cases, {});
  }
  const plus = 'read a b\necho $((a + b))\n', minus = 'read a b\necho $((a - b))\n';
  const submit = (student, files) => {
    for (const [name, text] of Object.entries(files)) workspace.file(`all/${student}/${name}.sh`, text);
  };
  submit('s10', { plus, minus });
  submit('s2', { plus });
  submit('s3', { plus: minus, minus });
  submit('s4', { plus: 'exit 3\n', minus: plus });
  workspace.file('roster.csv', 'id,name,group\ns2,Zoe Ray,B\ns3,Ann Lee,A\ns4,Bo Fox,B\ns5,Cy <b>,C\ns10,Dee Oh,A\n');
  workspace.grader(['judge', 'all', '--layout', '{student}/{problem}.*', '--roster', 'roster.csv', '--exit-zero',
    '--report', 'html=groups.html']);
  return workspace;
});
/** The students of a table that are shown, from the top. */
const shown = (page, table = 'table.class') => page.locator(`${table} tbody tr:visible`).evaluateAll((rows) =>
  rows.map((row) => row.cells[0].textContent.split(' ')[0]).join(' '));

check('every column of a class sorts, by figures or by words', async () => {
  const page = await open(groups().url('groups.html'));
  const sort = async (name) => {
    await page.locator('table.class thead').getByRole('button', { name, exact: true }).click();
    return shown(page);
  };
  assert.equal(await shown(page), 's10 s2 s3 s4 s5');
  assert.equal(await sort('student'), 's5 s4 s3 s2 s10'.split(' ').sort((a, b) => b.slice(1) - a.slice(1)).join(' '));
  assert.equal(await sort('student'), 's2 s3 s4 s5 s10');
  assert.equal(await sort('name'), 's3 s4 s5 s10 s2');
  assert.equal(await sort('name'), 's2 s10 s5 s4 s3');
  assert.equal(await sort('group'), 's10 s3 s2 s4 s5');
  assert.equal(await sort('total'), 's10 s3 s2 s4 s5');
  assert.equal(await sort('plus'), 's10 s2 s3 s4 s5');
  assert.equal(await sort('plus'), 's5 s3 s4 s10 s2');
  assert.equal(await page.locator('table.class th[aria-sort]').textContent(), 'plus');
  // A map keeps its figures when its rows move.
  const map = page.locator('section.problem', { has: page.locator('h2:text-is("plus")') }).locator('table.grid');
  const facts = async () => {
    await cell(page, 's4/plus.sh (Bo Fox)', 1).click();
    const text = await page.locator('#case-title, #case-facts').allTextContents();
    await page.locator('dialog button').first().click();
    return text;
  };
  const before = await facts();
  await map.getByRole('button', { name: 'result' }).click();
  assert.deepEqual(await facts(), before);
  assert.match(before.join(' '), /s4\/plus.sh \(Bo Fox\) · secret\/1 run-time error/);
  assert.deepEqual(page.faults, []);
});

check('a class is filtered by group, exercise and result', async () => {
  const page = await open(groups().url('groups.html'));
  const averages = () => page.locator('table.class tfoot td.of-problem:visible').allTextContents();
  assert.deepEqual(await averages(), ['0.4', '0.4', '0.8']);
  await page.locator('#group').selectOption('B');
  assert.equal(await shown(page), 's2 s4');
  assert.deepEqual(await averages(), ['0', '0.5', '0.5']);
  assert.equal(await shown(page, 'table.help'), 's4');
  assert.equal(await page.locator('table.grid tbody tr:visible').count(), 3);
  await page.locator('#group').selectOption('');
  await page.locator('#result').selectOption('WA');
  assert.equal(await shown(page), 's3 s4');
  await page.locator('#exercise').selectOption('plus');
  assert.equal(await shown(page), 's3');
  assert.equal(await page.locator('section.problem:visible').count(), 1);
  assert.deepEqual(await page.locator('table.class thead th:visible').allTextContents(), ['student', 'name', 'group', 'plus', 'total']);
  await page.locator('#result').selectOption('not submitted');
  assert.equal(await shown(page), 's5');
  assert.deepEqual(page.faults, []);
});

check('on a phone the class does not scroll sideways, and sorts and filters', async () => {
  const page = await open(groups().url('groups.html'), { viewport: { width: 420, height: 900 } });
  const table = page.locator('table.class');
  for (const size of ['small', 'large']) {
    // Tables of many cells are laid out in another way.
    await table.evaluate((one, size) => one.classList.toggle('large', size === 'large'), size);
    const beyond = await table.evaluate((one) => {
      const {left, right} = one.closest('.scroll').getBoundingClientRect();
      const cells = [...one.querySelectorAll('th, td')].filter((cell) => cell.offsetParent);
      const out = cells.filter((cell) => cell.getBoundingClientRect().left < left - 1 || cell.getBoundingClientRect().right > right + 1);
      return out.map((cell) => cell.textContent);
    });
    assert.deepEqual(beyond, [], size);
    assert.ok(await table.evaluate((one) => one.closest('.scroll').scrollWidth <= one.closest('.scroll').clientWidth), size);
  }
  const bars = page.getByRole('region', { name: 'Students by points' });
  assert.ok(await bars.evaluate((one) => one.scrollWidth <= one.clientWidth));
  const sizes = await bars.locator('text:visible').evaluateAll((texts) => texts.map((text) => text.getBoundingClientRect().height));
  assert.ok(sizes.length > 1 && sizes.every((size) => size >= 10), `${sizes}`);
  const label = await table.locator('tbody td.of-problem').nth(1).evaluate((cell) => getComputedStyle(cell, '::before').content);
  assert.match(label, /plus/);
  const sort = async (name) => {
    await table.locator('thead').getByRole('button', { name, exact: true }).click();
    return shown(page);
  };
  assert.equal(await sort('name'), 's3 s4 s5 s10 s2');
  assert.equal(await sort('group'), 's3 s10 s4 s2 s5');
  assert.equal(await sort('minus'), 's3 s10 s4 s2 s5');
  assert.equal(await sort('total'), 's10 s3 s2 s4 s5');
  assert.equal(await sort('student'), 's2 s3 s4 s5 s10');
  await page.locator('#group').selectOption('B');
  assert.equal(await shown(page), 's2 s4');
  await page.locator('#exercise').selectOption('plus');
  assert.deepEqual(await table.locator('thead th:visible').allTextContents(), ['student', 'name', 'group', 'plus', 'total']);
  assert.deepEqual(await violations(page), []);
  assert.deepEqual(page.faults, []);
});

check('the page of a student shows the line of a failure, also on a phone', async () => {
  const workspace = groups();
  workspace.file('all/s6/plus.py', `def f(x):\n    return ${'x + '.repeat(60)}y\n\nprint(f(1))\n`);
  workspace.grader(['judge', 'all', '--layout', '{student}/{problem}.*', '--exit-zero', '--report', 'html=groups.html']);
  const page = await open(workspace.url('groups-students/s6.html'), { viewport: { width: 420, height: 800 } });
  await page.getByRole('link', { name: 'line 2' }).click();
  assert.match(await page.locator('.source :target').innerText(), /return[^]*sample\/1/);
  assert.match(await page.locator('.marks').innerText(), /minus\s+not submitted[^]*total\s+0 of 2/);
  await assertFits(page);
  for (const width of [420, 1280]) {
    await page.setViewportSize({ width, height: 800 });
    const overflowing = await page.locator('main *').evaluateAll((all) => all.filter((one) => one.scrollWidth > one.clientWidth + 1 &&
      getComputedStyle(one).display !== 'inline' && getComputedStyle(one).overflowX !== 'visible').map((one) => one.tagName));
    assert.deepEqual(overflowing, [], `what scrolls sideways at ${width}`);
  }
  assert.deepEqual(await violations(page), []);
  assert.deepEqual(page.faults, []);
});

check('the page of groups fits, and axe finds nothing', async () => {
  const page = await open(groups().url('groups.html'));
  assert.deepEqual(await violations(page), []);
  await assertFits(page);
  await page.setViewportSize({ width: 420, height: 800 });
  assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= 420));
});
