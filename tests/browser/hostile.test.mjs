// Whatever a contestant, a package, a platform or a record says, the pages only show it.

import assert from 'node:assert/strict';
import fs from 'node:fs';

import { Workspace, check, once, open } from './grader.mjs';

// Every mark `pwned` names the field that it was written into, and shows that a payload became an element.
const PAYLOADS = [
  '</script><script pwned=F>window.pwned=1</script>',
  '<img pwned=F src=x onerror=window.pwned=1>',
  '"><svg pwned=F onload=window.pwned=1>',
  '\' pwned=F onfocus="window.pwned=1" autofocus x=\'',
  '" pwned=F onfocus=\'window.pwned=1\' autofocus x="',
  '</style></title></pre></details></dialog></table></template><b pwned=F>',
  '--><b pwned=F><!--',
  '<![CDATA[<b pwned=F>]]>',
  '<a pwned=F href="javascript:window.pwned=1">x</a>',
  '<base pwned=F href="http://127.0.0.1:9/">',
  '<meta pwned=F http-equiv=refresh content="0;url=http://127.0.0.1:9/">',
  '<iframe pwned=F srcdoc="<script>parent.pwned=1</script>"></iframe>',
  '<object pwned=F data="x.html"></object>',
  '<link pwned=F rel=stylesheet href="http://127.0.0.1:9/x.css">',
  '<style pwned=F>@import "http://127.0.0.1:9/y.css";</style>',
  '<form pwned=F action="http://127.0.0.1:9/"><input autofocus onfocus=window.pwned=1>',
  '<template pwned=F><b>',
  '&lt;b pwned=F&gt;&#60;b pwned=F&#62;',
  '{{7*7}}${7*7}{% raw %}',
];
// What a file system takes as a name.
const NAMES = [...PAYLOADS.filter((text) => !text.includes('/')), '<b pwned=F>a\nb', '\x1b[31m<b pwned=F>', '\u202e<b pwned=F>',
  '\u2028<b pwned=F>', `<b pwned=F>${'x'.repeat(180)}`, '=<b pwned=F>', '-s <b pwned=F>', ' <b pwned=F> '];
const mark = (text, field) => text.replaceAll('pwned=F', `pwned=${field}`);
const attack = (field, from = 0, to) => PAYLOADS.slice(from, to).map((text) => mark(text, field)).join('\n');
const names = (field) => NAMES.map((text) => mark(text, field));
const cat = (text, where = '') => `cat ${where} <<'END'\n${text}\nEND\n`;
// Nobody may read past the end of a text, nor take a part of a character for another one.
const BYTES = 'printf "\\000\\377\\300\\274b pwned=bytes\\300\\276\\033]0;x\\007"\n';

const CHECKER = `${cat(attack('judge'), '> $3/judgemessage.txt')}${cat(attack('team'), '> $3/teammessage.txt')}exit 43\n`;
const TALK = `${cat(attack('interactor'))}while read line; do :; done\nexit 43\n`;
const RUN = ['run', '-a'];
const JUDGE = ['judge', 'class', '--layout', '{student}/{problem}.*'];
// Waits for the browser: then what follows comes as changes of a page that it shows.
const gate = (workspace, name) => `while [ ! -e ${workspace.path(name)} ]; do sleep 0.02; done\n`;

/** A run of problems whose every text is hostile. The gates are open unless a test closes them. */
const contest = once(() => {
  const workspace = new Workspace();
  const toml = `name = ${JSON.stringify(attack('title').replaceAll('\n', ' '))}\nlimits.time_limit = 20\nlimits.wall_limit = 60\n`;
  const cases = { 'secret/1': [attack('input', 0, 6), `${attack('answer', 0, 6)}\n`] };
  const solve = cat(attack('answer', 0, 6));
  const outputs = {};
  for (let from = 0; from < PAYLOADS.length; from += 3) {
    const [text, errors] = ['stdout', 'stderr'].map((field) => attack(field, from, from + 3));
    outputs[`submissions/wrong_answer/out${from}.sh`] = `${cat(text)}${BYTES}${cat(errors, '>&2')}`;
  }
  workspace.problem(`a"><img pwned=slug src=x onerror=window.pwned=1>`, `${toml}reference = "accepted/b.sh"\n`, cases, {
    'submissions/accepted/b.sh': solve,
    ...outputs,
    'submissions/accepted/bad.py': `x = = "${mark(PAYLOADS[1], 'python').replaceAll('"', "'")}"\n`,
    'submissions/accepted/bad.c': `#error ${mark(PAYLOADS[0], 'gcc')}\n`,
    [`submissions/accepted/${mark(PAYLOADS[1], 'notice')}.sh`]: '',
  });
  workspace.problem('checked', toml, cases, { 'output_validator/check.sh': CHECKER, 'submissions/accepted/a.sh': solve });
  workspace.problem('crashed', toml, cases, {
    'output_validator/check.sh': `${cat(attack('crash', 0, 8), '>&2')}exit 1\n`, 'submissions/accepted/a.sh': solve,
  });
  workspace.problem('talk', `type = "interactive"\n${toml}`, { 'secret/1': ['1\n', ''] }, {
    'output_validator/talk.sh': TALK, 'submissions/accepted/a.sh': cat(attack('contestant')),
  });
  for (const [slug, name] of [['a', 'begin'], ['z', 'end']]) {
    workspace.problem(slug, toml, cases, { 'submissions/accepted/a.sh': gate(workspace, name) + solve }).file(name, '');
  }
  workspace.grader([...RUN, '--report', 'html=out.html', '--report', 'jsonl=run.jsonl'], 3);
  return workspace;
});

/** A class of hostile names; whoever has nothing else prints hostile text. */
const students = once(() => {
  const workspace = new Workspace();
  const toml = `name = ${JSON.stringify(attack('title').replaceAll('\n', ' '))}\nlimits.time_limit = 20\nlimits.wall_limit = 60\n`;
  const cases = { 'sample/1': [attack('input', 0, 6), attack('answer', 0, 6)] };
  workspace.problem('sum', toml, cases, { 'output_validator/check.sh': CHECKER });
  const file = (...parts) => Buffer.concat(parts.map((part) => Buffer.from(part)));
  for (const name of [...names('student').map((name) => Buffer.from(name)), file('<b pwned=student>', [0xff, 0xc0, 0xbc])]) {
    workspace.file(file('class/', name, '/sum.sh'), cat(attack('stdout', 0, 8)) + cat(attack('stderr', 0, 8), '>&2'));
    workspace.file(file('class/', name, '/z.odd'), '').file(file('class/', name, '/', mark(NAMES[0], 'file'), '.odd'), '');
  }
  workspace.file('class/ann/sum.py', `x = = "${mark(PAYLOADS[1], 'python').replaceAll('"', "'")}"\n`);
  for (const [slug, name] of [['a', 'begin'], ['z', 'end']]) {
    workspace.problem(slug, toml, { 'secret/1': ['1\n', '2\n'] }, {}).file(name, '');
    workspace.file(`class/ann/${slug}.sh`, gate(workspace, name));
  }
  workspace.grader([...JUDGE, '--report', 'html=out.html'], 2);
  return workspace;
});

// The fields that each page must show: what does not arrive is not tested.
const OF_RUN = ['slug', 'title', 'input', 'answer', 'stdout', 'stderr', 'bytes', 'python', 'gcc', 'notice', 'judge', 'crash',
  'interactor', 'contestant'];
const OF_CLASS = ['title', 'input', 'answer', 'stdout', 'stderr', 'python', 'judge', 'student', 'file'];

/** What became of hostile text in a page, with the dialog opened on every failing cell. */
async function harm(page) {
  const { said, marks, pwned } = await page.evaluate(() => {
    const dialog = document.getElementById('case');
    const found = () => [...document.querySelectorAll('[pwned]')].map((element) => element.outerHTML.slice(0, 80));
    const all = { said: document.body.textContent, marks: found(), pwned: window.pwned };
    for (const cell of document.querySelectorAll('table.grid td')) {
      if (cell.cellIndex < cell.closest('table').dataset.first || cell.textContent === 'A') continue;
      cell.click();
      all.said += dialog.textContent;
      all.marks.push(...found());
      dialog.close();
    }
    return all;
  });
  await page.waitForTimeout(200);
  return { said, marks, pwned: pwned ?? await page.evaluate(() => window.pwned), faults: page.faults };
}

async function assertUnharmed(page, fields) {
  const { said, ...rest } = await harm(page);
  assert.deepEqual(rest, { marks: [], pwned: undefined, faults: [] });
  for (const field of fields) assert.ok(said.includes(`pwned=${field}`), `${field} does not arrive`);
}

check('a page that did not escape would be noticed', async () => {
  const workspace = contest();
  const broken = (name, change) => open(workspace.file(name, change(workspace.read('out.html'))).url(name));
  const unescaped = (page) => page.replace('<p class="legend">', `${[0, 1, 2, 5, 11, 13].map((at) => PAYLOADS[at]).join('')}$&`);
  const without = (page) => unescaped(page).replace(/<meta http-equiv="Content-Security-Policy"[^>]*>/, '');
  const kept = await harm(await broken('unescaped.html', unescaped));
  assert.ok(kept.marks.length > 4 && kept.pwned === undefined, 'the policy keeps scripts from running');
  assert.ok(kept.faults.some((fault) => fault.startsWith('policy: script-src')), kept.faults.join('\n'));
  const lost = await harm(await broken('without.html', without));
  assert.ok(lost.pwned === 1 && lost.faults.some((fault) => fault.startsWith('request')), lost.faults.join('\n'));
});

check('hostile problems and submissions only appear as text', async () => {
  const page = await open(contest().url('out.html'));
  await assertUnharmed(page, OF_RUN);
  const shown = await page.locator('body').evaluate((body) => body.textContent);
  for (const text of PAYLOADS) assert.ok(shown.includes(mark(text, 'title')), text);
  assert.ok(shown.includes('\\x00\\xff\\xc0\\xbcb pwned=bytes'), 'bytes that are no text are named');
});

check('hostile students only appear as text, in the page of the class and in their own', async () => {
  const workspace = students();
  const page = await open(workspace.url('out.html'), {}, (asked) => asked.startsWith(workspace.url('')));
  await assertUnharmed(page, OF_CLASS);
  const shown = await page.locator('table.class').evaluate((table) => table.textContent);
  for (const name of ['\\u{202e}<b', '\\u{2028}<b', '␛[31m<b', 'a⏎b', '\\xff\\xc0']) assert.ok(shown.includes(name), name);
  const links = await page.locator('table.class a').evaluateAll((all) => all.map((link) => link.href));
  assert.equal(links.length, NAMES.length + 2);
  for (const link of links) {
    await page.goto(link);
    assert.equal(await page.locator('[pwned]').count(), 0, link);
    assert.match(await page.locator('h1').textContent(), /ann|pwned=student|7\*7/);
    assert.match(await page.locator('main').textContent(), /pwned=(team|python)/);
  }
  assert.deepEqual(page.faults, []);
});

check('the names of tests and all else in a record of another machine only appear as text', async () => {
  const workspace = contest();
  const shown = ['title', 'problem', 'submission', 'again', 'machine', 'started', 'path', 'message', 'caveat', 'language',
    'version', 'test', 'reason', 'remedy', 'expected', 'time_limit_from'];
  const keys = [...shown, 'feedback', 'team_message', 'remarks', 'bytes', 'student', 'source', 'place'];
  const poison = (value, key) => {
    if (key === 'after') return poison(value, 'test');
    if (typeof value === 'string') return keys.includes(key) ? `${value} ${attack(key)}` : value;
    if (Array.isArray(value)) return value.map((item) => poison(item, key));
    if (value === null || typeof value !== 'object') return value;
    return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, poison(inner, name)]));
  };
  const events = workspace.events('run.jsonl');
  events.forEach((event) => { if (event.event === 'notice') event.remedy = 'rename it'; });
  events[0].problems.forEach((problem) => { problem.time_limit_from = 'rules'; });
  workspace.record('evil.jsonl', events.map((event) => poison(event)));
  workspace.grader(['report', 'evil.jsonl', '--report', 'html=evil.html']);
  await assertUnharmed(await open(workspace.url('evil.html')), shown);
});

for (const [what, make, args, fields, ended, status] of [
  ['a run', contest, RUN, OF_RUN, /unexpected/, 3],
  ['a class', students, JUDGE, OF_CLASS, /accepted/, 2],
]) {
  check(`hostile text of ${what} that goes on only appears as text`, async () => {
    const workspace = make();
    for (const name of ['begin', 'end']) fs.unlinkSync(workspace.path(name));
    const server = await workspace.serve([...args, '--no-cache', '-j', '1', '--view']);
    const page = await server.open();
    const changes = [];
    page.on('response', async (response) => {
      // A page that loads again throws its last answer away.
      if (response.url().includes('changes?')) changes.push(await response.text().catch(() => ''));
    });
    await page.locator('tr.waiting').first().waitFor({ state: 'attached' });
    workspace.file('begin', '');
    await page.waitForFunction(() => document.querySelectorAll('tr.waiting').length === 1);
    await assertUnharmed(page, fields.filter((field) => !['notice', 'file'].includes(field)));
    for (const field of ['stdout', 'stderr', 'python']) {
      assert.ok(changes.join().includes(`pwned=${field}`), `${field} did not come as a change`);
    }
    workspace.file('end', '');
    await page.locator('h1', { hasText: ended }).waitFor();
    await assertUnharmed(page, fields);
    for (const link of await page.locator('table.class a').evaluateAll((all) => all.slice(0, 5).map(({ href }) => href))) {
      await page.goto(link);
      assert.equal(await page.locator('[pwned]').count(), 0, link);
      assert.match(await page.locator('h1').textContent(), /pwned|7\*7/);
    }
    assert.deepEqual(page.faults, []);
    assert.equal(await server.end(), status);
  });
}
