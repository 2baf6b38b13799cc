// What visualisers draw: on the page of a run, and as pages of their own. Whatever they draw from is hostile.

import assert from 'node:assert/strict';
import http from 'node:http';

import { Workspace, assertFits, cell, check, once, open, violations } from './grader.mjs';

const PAYLOAD = '</script><script>window.pwned = 1</script><img src=x onerror="window.pwned = 1">';
// A picture.
const SVG = `<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 40 20'>
<rect width='40' height='20' fill='teal'/></svg>`;
const write = (file, svg = SVG) => `cat > ${file} <<'END'\n${svg}\nEND\n`;
// Two pictures, and the text that a submission has printed as JSON.
const DRAW = `${write('$3/judgeimage.svg')}${write('$3/teamimage.svg')}{
  printf '{"said": "'
  sed 's/["\\\\]/\\\\&/g' | tr -d '\\n'
  printf '"}'
} > $3/judgeimage.json
`;
const PAGE = `const { board } = kit.stage({ title: 'What it said', intro: 'A text.' });
board.append(kit.el('p', { class: 'said' }, kit.data.said), kit.el('p', { class: 'by' }, kit.submission));
`;

const drawn = once(() => {
  const workspace = new Workspace();
  workspace.problem('sum', 'limits.time_limit = 5\n', { 'secret/1': ['1 2\n', '3\n'] }, {
    'submissions/accepted/sum.sh': `cat <<'END'\n${PAYLOAD}\nEND\n`,
    'input_visualizer/draw.sh': write('testcase.svg'),
    'output_visualizer/draw.sh': DRAW,
    'output_visualizer/page/page.js': PAGE,
  });
  workspace.problem('body', '', { 'secret/1': ['1\n', '3\n'] }, {
    'submissions/accepted/sum.sh': 'echo 3\n',
    'input_visualizer/draw.sh': 'cat $1 - > testcase.html <<END\n<p id=own>a body</p><style>p { color: red }</style>\nEND\n',
  });
  workspace.grader(['run', 'sum', '--report', 'html=out.html'], 1);
  return workspace;
});
const assertHarmless = async (page) => {
  assert.equal(await page.evaluate(() => window.pwned), undefined);
  assert.deepEqual(page.faults, []);
};

check('the page of a run shows pictures that do nothing, and links to the page beside it', async () => {
  const page = await open(drawn().url('out.html'));
  await cell(page, 'accepted/sum.sh', 0).click();
  const pictures = page.locator('dialog figure img');
  assert.deepEqual(await pictures.evaluateAll((all) => all.map((one) => [one.alt, one.naturalWidth > 0])), [
    ['test case: testcase.svg', true], ['output of another run: judgeimage.svg', true], ['output of another run: teamimage.svg', true]]);
  await assertHarmless(page);
  assert.deepEqual(await violations(page), []);
  const link = page.locator('dialog figcaption a');
  assert.equal(await link.getAttribute('href'), 'out-drawings/sum/accepted/sum.sh/secret/1/judgeimage.html');
  await page.keyboard.press('Escape');
  await assertFits(page);
});

check('a page shows hostile output as text', async () => {
  const page = await open(drawn().url('out-drawings/sum/accepted/sum.sh/secret/1/judgeimage.html'));
  assert.equal(await page.locator('.said').textContent(), PAYLOAD);
  assert.equal(await page.locator('.by').textContent(), 'accepted/sum.sh');
  assert.equal(await page.locator('img').count(), 0);
  await assertHarmless(page);
});

check('scripts and pictures in a body that a visualiser wrote have no effect', async () => {
  const asked = [];
  const server = http.createServer((request, response) => { asked.push(request.url); response.end(); });
  await new Promise((resolve) => { server.listen(0, '127.0.0.1', resolve); });
  const workspace = drawn();
  workspace.file('own', PAYLOAD.replace('src=x', `src="http://127.0.0.1:${server.address().port}/x"`));
  workspace.grader(['visualize', 'body', '--input', 'own', '--out', 'body']);
  const page = await open(workspace.url('body/own.html'));
  assert.equal(await page.locator('#own').textContent(), 'a body');
  await page.waitForTimeout(200);
  server.close();
  const forbidden = ['script-src', 'img-src', 'style-src'].map((what) =>
    page.faults.some((fault) => fault.startsWith(`policy: ${what}`)));
  assert.deepEqual(forbidden, [true, true, true], page.faults.join('\n'));
  assert.equal(await page.evaluate(() => window.pwned), undefined);
  assert.deepEqual(asked, []);
});
