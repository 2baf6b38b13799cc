//! Containers in JavaScript are the same objects on both sides of the border between unit tests and a solution.

use macro_rules_attribute::apply;

use crate::cli::need::Need;
use crate::cli::unit_problems::{get_nothing, units};

const NODE: &[Need] = &[Need::Tool("node")];
const JEST: &[Need] = &[Need::Tool("jest")];

const TESTS: &str = r#"const test = require("node:test");
const assert = require("node:assert");
const { board, copyOf, same, first, Bag, sortRows, put, link, Store } = require("./grids");
test("rows", () => { const b = board(2); b[0][0] = "X"; assert.strictEqual(put(b, 1, 1)[1][0], " "); assert.deepEqual(b, [["X", " "], [" ", "+"]]); });
test("copy", () => { const a = [[1], { k: [2] }]; const c = copyOf(a); assert.deepStrictEqual(c, a); assert.notStrictEqual(c, a); assert.notStrictEqual(c[0], a[0]); assert.notStrictEqual(c[1].k, a[1].k); });
test("same", () => { for (const a of [[1], { k: [1] }, new Map([[1, 2]]), new Set([1]), new Date(5), new Uint8Array(3), Buffer.from("ab"), Object.create(null)]) assert.strictEqual(same(a), a); const o = {}; assert.strictEqual(first([o]), o); });
test("no leak", () => { const bag = new Bag([1]); bag.items().push(2); assert.deepEqual(bag.items(), [1]); });
test("argument is copied", () => { const given = [1]; const bag = new Bag(given); given.push(2); bag.add(3); assert.deepEqual(bag.items(), [1, 3]); assert.deepEqual(given, [1, 2]); });
test("attribute", () => { const bag = new Bag([1]); assert.strictEqual(bag.inside, bag.inside); bag.inside.push(2); assert.deepEqual(bag.items(), [1, 2]); });
test("default", () => { new Bag().add(1); assert.deepEqual(new Bag().items(), []); });
test("nested sort", () => { const rows = [[2, 1], [4, 3]]; const [r] = rows; sortRows(rows); assert.deepEqual(rows, [[1, 2], [3, 4]]); assert.strictEqual(rows[0], r); assert.deepEqual(r, [1, 2]); });
test("loop", () => { const a = [1]; a.push(a); assert.strictEqual(same(a), a); const { head, tail } = link(1000); assert.strictEqual(head.prev, null); let n = head; while (n.next) n = n.next; assert.strictEqual(n, tail); });
test("state", () => { const s = new Store(); s.set({ a: [1] }); const x = s.get(); x.a.push(2); assert.deepStrictEqual(s.get(), { a: [1] }); });
test("many", () => { const a = Array.from({ length: 500 }, () => [2, 1]); sortRows(a); assert.ok(a.every((r) => r[0] === 1)); assert.strictEqual(same(a), a); assert.strictEqual(first(a), a[0]); });
"#;

const OTHER_TESTS: &str = r#"const test = require("node:test");
const assert = require("node:assert");
const { Bag, board, copyOf, eachRow, list, same, sortRows, put, settings, frozen, fill, Vec, range, later, Store } = require("./grids");
test("kinds", () => { const m = new Map([["a", 1]]), s = new Set([1]), d = new Date(0), t = new Float64Array(2), o = { b: 1, a: 2 }; fill(m, s, d, t, o); assert.deepStrictEqual([m, s, d, t, o], [new Map([["a", 2]]), new Set([1, 2]), new Date(7), new Float64Array([0, 5]), { a: 2, c: 3 }]); });
test("frozen", () => { assert.ok(Object.isFrozen(frozen())); const f = Object.freeze([2, 1]); assert.throws(() => sortRows([f]), TypeError); });
test("settings", () => { settings.list.push(4); settings.deep.x = 5; assert.deepEqual(put.call(null, [[0]], 0, 0), [["+"]]); assert.deepStrictEqual(require("./grids").getSettings(), { list: [1, 4], deep: { x: 5 } }); });
test("vec", () => {
  const v = new Vec(1, 2, 3);
  assert.ok(Array.isArray(v)); assert.strictEqual(v.length, 3); assert.strictEqual(JSON.stringify(v), "[1,2,3]"); assert.deepEqual([...v], [1, 2, 3]);
  assert.deepStrictEqual(v, new Vec(1, 2, 3)); assert.notDeepStrictEqual(v, new Vec(1, 2, 4)); assert.deepEqual(v, [1, 2, 3]); assert.notDeepEqual(v, [1, 2]);
  v.push(4); assert.strictEqual(v.length, 4); assert.strictEqual(v.sum(), 10); assert.ok(v.includes(4)); v[0] = 7; assert.strictEqual(v[0], 7); assert.strictEqual(v.sum(), 16);
  const r = v.map((x) => x); assert.ok(r instanceof Vec); assert.ok([].concat(v).length === 4); assert.strictEqual(Vec.from([1]).sum(), 1); assert.deepEqual(Object.keys(v), ["0", "1", "2", "3"]);
  const w = require("./grids").vec(); assert.deepEqual([...w], [5, 6]); assert.strictEqual(w.sum(), 11); assert.strictEqual(Math.max(...w), 6); assert.deepStrictEqual(w, new Vec(5, 6));
});
test("iterable", () => { assert.deepStrictEqual([...range(1, 3)], [1, 2, 3]); const r = range(1, 3); assert.strictEqual(r.from, 1); assert.deepStrictEqual([...r], [...r]); const it = r[Symbol.iterator](); assert.deepStrictEqual(it.next(), { value: 1, done: false }); });
test("later", async () => { const a = [1]; assert.strictEqual(await later(a), a); assert.deepEqual(a, [1, 2]); });
test("observer", () => { const s = new Store(); const o = { seen: [], n: 0, update(x) { this.seen.push(x); this.n++; } }; s.subscribe(o); s.set(5); s.set(6); assert.deepEqual(o.seen, [5, 6]); assert.strictEqual(o.n, 2); assert.strictEqual(s.observers[0], o); });
test("callbacks", () => {
  const rows = [[1], [2]], seen = [];
  eachRow(rows, (row) => { seen.push(row); row.push(same(row[0])); });
  assert.deepEqual(rows, [[1, 1, 2], [2, 2, 2]]);
  assert.strictEqual(seen[1], rows[1]);
  eachRow([[new Bag([7])]], ([bag]) => assert.deepEqual(bag.inside, [7]));
  assert.throws(() => eachRow([[1]], () => { throw new Error("mine"); }), /mine/);
  assert.deepEqual(list({ *[Symbol.iterator]() { yield 1; yield [2]; } }), [1, [2]]);
  assert.deepEqual(list((function* () { yield 3; })()), [3]);
});
test("own class", () => { const b = board(1); b.push(new (class Own {})()); assert.deepEqual(board(1), [[" "]]); });
test("mixin", () => { const o = require("./grids").mixin({ name: "x" }); assert.strictEqual(o.greet(), "hi x"); });
test("prints", (t) => { const out = []; t.mock.method(console, "log", (x) => out.push(JSON.stringify(x))); require("./grids").steps([3, 1]); assert.deepEqual(out, ["[3,1]", "[1,3]"]); });
test("holes", () => { const a = new Array(2); a.push(1); assert.strictEqual(same(a), a); assert.ok(!(0 in a)); assert.ok(!(0 in copyOf([, 1]))); });
"#;

const RIGHT: &str = r#"class Bag { constructor(a = []) { this.inside = [...a]; } items() { return [...this.inside]; } add(x) { this.inside.push(x); } }
class Vec extends Array { sum() { return this.reduce((a, b) => a + b, 0); } }
class Store { observers = []; #v; subscribe(o) { this.observers.push(o); } set(v) { this.#v = v; this.observers.forEach((o) => o.update(v)); } get() { return structuredClone(this.#v); } }
const settings = { list: [1], deep: {} };
function copyOf(a) { if (Array.isArray(a)) { const c = a.slice(); c.forEach((x, i) => (c[i] = copyOf(x))); return c; } return typeof a === "object" ? Object.fromEntries(Object.entries(a).map(([k, v]) => [k, copyOf(v)])) : a; }
module.exports = {
  Bag, Vec, Store, settings, getSettings: () => settings, copyOf,
  vec: () => new Vec(5, 6), mixin: (o) => { o.greet = function () { return "hi " + this.name; }; return o; },
  steps: (a) => { console.log(a); a.sort((x, y) => x - y); console.log(a); },
  board: (n) => Array.from({ length: n }, () => Array(n).fill(" ")), same: (a) => a, first: (a) => a[0],
  sortRows: (rows) => { rows.forEach((r) => r.sort((a, b) => a - b)); }, put: (b, i, j) => { b[i][j] = "+"; return b; },
  fill: (m, s, d, t, o) => { m.set("a", 2); s.add(2); d.setTime(7); t[1] = 5; delete o.b; o.c = 3; },
  link: (n) => { let head = { v: 0, prev: null, next: null }, tail = head; for (let i = 1; i < n; i++) { tail.next = { v: i, prev: tail, next: null }; tail = tail.next; } return { head, tail }; },
  frozen: () => Object.freeze([1]), range: (from, to) => ({ from, to, *[Symbol.iterator]() { for (let i = from; i <= to; i++) yield i; } }),
  list: (it) => [...it], later: async (a) => { await null; a.push(2); return a; },
};
module.exports.eachRow = (rows, f) => rows.forEach((row, i) => { f(row); row.push(2); });
"#;

/// A program that shares what it should copy, and copies what it should share.
fn wrong() -> String {
    let changes = [
        ("Array.from({ length: n }, () => Array(n).fill(\" \"))", "Array(n).fill(Array(n).fill(\" \"))"),
        ("this.inside = [...a]", "this.inside = a"),
        ("[...this.inside]", "this.inside"),
        ("a = []", "a = module.exports.none"),
        ("function copyOf(a) {", "function copyOf(a) { return [...a];"),
        ("same: (a) => a,", "same: (a) => structuredClone(a),"),
        ("structuredClone(this.#v)", "this.#v"),
        ("r.sort((a, b) => a - b)", "(rows[rows.indexOf(r)] = [...r].sort((a, b) => a - b))"),
        ("f(row)", "f([...row])"),
    ];
    let mut text = RIGHT.to_owned();
    for (from, to) in changes {
        assert!(text.contains(from), "{from}");
        text = text.replace(from, to);
    }
    text + "module.exports.none = [];\n"
}

#[apply(cli_test)]
#[needs(NODE)]
fn containers_in_javascript_are_shared() {
    let workspace = units("grids.test.js", TESTS);
    workspace.problem("units").submission("accepted/right.js", RIGHT).submission("wrong_answer/wrong.js", &wrong());
    let run = workspace.run(&["--all-tests"]);
    run.status(0);
    for test in
        ["rows", "copy", "same", "no-leak", "argument-is-copied", "default", "nested-sort", "loop", "state", "many"]
    {
        run.judged("wrong_answer/wrong.js", test, "WA", "");
    }
    run.judged("wrong_answer/wrong.js", "attribute", "AC", "");
}

/// What is no alias, but crosses with containers: frozen ones, iterables, callbacks, and classes that extend `Array`.
#[apply(cli_test)]
#[needs(NODE)]
fn containers_in_javascript_keep_what_they_are() {
    let workspace = units("grids.test.js", OTHER_TESTS);
    workspace.problem("units").submission("accepted/right.js", RIGHT);
    workspace.run(&["--all-tests"]).status(0);
}

const JEST_TESTS: &str = r#"const { board, copyOf, same, first, Bag, sortRows, put, eachRow, frozen, fill, Vec, vec, range, Store, list } = require("./grids");
test("rows", () => { const b = board(2); b[0][0] = "X"; expect(b[1][0]).toBe(" "); expect(put(b, 1, 1)).toEqual([["X", " "], [" ", "+"]]); });
test("no leak", () => { const bag = new Bag([1]); bag.items().push(2); expect(bag.items()).toEqual([1]); });
test("callbacks", () => { const rows = [[1], [2]]; const f = jest.fn((row) => row.push(0)); eachRow(rows, f); expect(f.mock.calls[1][0]).toBe(rows[1]); expect(rows).toEqual([[1, 0, 2], [2, 0, 2]]); });
test("others", () => {
  { const a = [[1], { k: [2] }]; const c = copyOf(a); expect(c).toEqual(a); expect(c).toStrictEqual(a); expect(c).not.toBe(a); expect(c[0]).not.toBe(a[0]); }
  { for (const a of [[1], { k: [1] }, new Map([[1, 2]]), new Set([1]), new Date(5), new Uint8Array(3), Buffer.from("ab"), Object.create(null)]) expect(same(a)).toBe(a); }
  { const bag = new Bag([1]); expect(bag.inside).toBe(bag.inside); bag.inside.push(2); expect(bag.items()).toEqual([1, 2]); }
  { const rows = [[2, 1], [4, 3]]; const [r] = rows; sortRows(rows); expect(rows).toEqual([[1, 2], [3, 4]]); expect(r).toBe(rows[0]); }
  { const m = new Map([["a", 1]]), s = new Set([1]), d = new Date(0), t = new Float64Array(2), o = { b: 1, a: 2 }; fill(m, s, d, t, o); expect([m, s, d, t, o]).toEqual([new Map([["a", 2]]), new Set([1, 2]), new Date(7), new Float64Array([0, 5]), { a: 2, c: 3 }]); }
  {
  const v = new Vec(1, 2, 3);
  expect(Array.isArray(v)).toBe(true); expect(v).toHaveLength(3); expect(JSON.stringify(v)).toBe("[1,2,3]"); expect([...v]).toEqual([1, 2, 3]); expect(v).toEqual([1, 2, 3]); expect(v).not.toEqual([1, 2, 4]); expect(v).not.toEqual([1, 2]);
  expect(v).toStrictEqual(new Vec(1, 2, 3)); expect(v).toEqual(new Vec(1, 2, 3)); expect(v).not.toEqual(new Vec(1, 2, 4)); expect(v).toContain(2); expect(vec()).toEqual([5, 6]); expect(vec().sum()).toBe(11); expect(vec()).toHaveLength(2); expect(v).toBeInstanceOf(Array);
  }
  { expect([...range(1, 3)]).toEqual([1, 2, 3]); expect(list({ *[Symbol.iterator]() { yield 1; } })).toEqual([1]); }
  { const s = new Store(); const o = { update: jest.fn() }; s.subscribe(o); s.set(5); expect(o.update).toHaveBeenCalledWith(5); expect(s.observers[0]).toBe(o); expect(s.observers).toEqual([o]); }
  { expect(() => eachRow([[1]], () => { throw new RangeError("mine"); })).toThrow(RangeError); expect(() => eachRow([[1]], (r) => expect(r).toEqual([2]))).toThrow(/received/); }
  { expect(Object.isFrozen(frozen())).toBe(true); expect(() => sortRows([Object.freeze([2, 1])])).toThrow(TypeError); }
});
"#;

#[apply(cli_test)]
#[needs(JEST)]
fn containers_under_jest_are_shared() {
    let workspace = units("grids.test.js", JEST_TESTS);
    workspace.problem("units").submission("accepted/right.js", RIGHT).submission("wrong_answer/wrong.js", &wrong());
    let run = workspace.run(&["--all-tests"]);
    run.status(0);
    for test in ["rows", "no-leak", "callbacks", "others"] {
        run.judged("wrong_answer/wrong.js", test, "WA", "");
    }
}

const SUM_TESTS: &str = r#"const test = require("node:test");
const assert = require("node:assert");
const { sum, sums } = require("./calc");
const is_right = [
  () => { const x = sum([5000, 678]); assert.ok(x > 5677 && x < 5679); },
  () => assert.ok(sums([5000, 678], () => true).includes(5678)),
  () => { const x = sums([5000, 678]); assert.strictEqual(x.length, 1); for (let i = 0; i < x.length; i++) assert.strictEqual(x[i], 5678); },
];
test("sum", () => assert.ok(is_right.some((check) => {
  try {
    check();
    return true;
  } catch {
    return false;
  }
})));
"#;

/// Students who want points by what crosses the border as a container.
#[apply(cli_test)]
#[needs(NODE)]
fn tricks_with_containers_get_nothing() {
    let forged = |line: &str| {
        format!("exports.sum = exports.sums = () => {{ require('fs').writeSync(1, '{line}\\n'); return 0 }};\n")
    };
    let returned = |value: &str| format!("let n = 0;\nexports.sum = exports.sums = (a, f) => {value};\n");
    let tricks = [
        (
            "function_in_object",
            forged(
                r#"{"value":{"a":0},"contents":[[0,"object",["valueOf",{"h":[1,true]},"includes",{"h":[1,true]}],false]]}"#,
            ),
        ),
        (
            "symbol_in_object",
            forged(r#"{"value":{"a":0},"contents":[[0,"object",[{"y":"toPrimitive"},{"h":[1,true]}],false]]}"#),
        ),
        (
            "callback_in_object",
            forged(r#"{"value":{"a":0},"contents":[[0,"object",["includes",{"c":0},"valueOf",{"c":0}],false]]}"#),
        ),
        (
            "prototype",
            forged(
                r#"{"value":{"a":0},"contents":[[0,"object",["__proto__",{"a":2},"length",1],false],[2,"object",["0",0],false]]}"#,
            ),
        ),
        ("another_kind", forged(r#"{"value":{"a":1},"contents":[[1,"map",[],false]]}"#)),
        ("number_of_the_tests", forged(r#"{"value":{"a":1001},"contents":[[1001,"array",[],false]]}"#)),
        ("unknown_number", forged(r#"{"value":{"a":3},"contents":[]}"#)),
        ("odd_number", forged(r#"{"value":{"a":"1"},"contents":[["1","array",[],false],[0.5,"array",[],false]]}"#)),
        ("twice", forged(r#"{"value":{"a":0},"contents":[[0,"array",[],true],[0,"map",[],false]]}"#)),
        ("unknown_kind", forged(r#"{"value":{"a":0},"contents":[[0,"constructor",[0],false]]}"#)),
        ("large_kind", forged(r#"{"value":{"a":0},"contents":[[0,"array",{"length":1e9},false]]}"#)),
        ("no_contents", forged(r#"{"value":5}"#)),
        ("odd_printed", forged(r#"{"value":5,"contents":[],"printed":[["log",[[1,"array",[],false]],[{"a":1}]]]}"#)),
        ("freezes", returned("Object.freeze(a)")),
        ("empties", returned("{ a.length = 0; return a }")),
        ("own_methods", returned("Object.assign(a, { includes: () => true, valueOf: () => (n++ % 2 ? 1e9 : -1e9) })")),
        (
            "polluted",
            format!(
                "Array.prototype.includes = () => true; Object.prototype.valueOf = () => 5678;\n{}",
                returned("[0]")
            ),
        ),
        (
            "long_and_short",
            returned("new (class extends Array { get length() { return n++ ? 0 : 1 } set length(x) {} })()"),
        ),
        (
            "proxy",
            returned(
                "new Proxy([], { get: (_, key) => (key === 'length' ? (n++ ? 0 : 1) : key === 'includes' ? () => true : 0) })",
            ),
        ),
        ("getter", returned("({ get length() { return n++ ? 0 : 1 }, get includes() { return () => true } })")),
        ("many", returned("Array.from({ length: 20000 }, () => [0])")),
        ("loop", returned("{ const x = []; x.push(x); return x }")),
    ];
    let workspace = units("calc.test.js", SUM_TESTS);
    let right = "exports.sum = (a) => a.reduce((x, y) => x + y, 0);\nexports.sums = (a) => [exports.sum(a)];\n";
    workspace.problem("units").submission("accepted/calc.js", right);
    for (name, text) in &tricks {
        workspace.problem("units").submission(&format!("rejected/{name}.js"), text);
    }
    get_nothing(&workspace.run(&["--all-tests"]), "accepted/calc.js", tricks.len());
}
