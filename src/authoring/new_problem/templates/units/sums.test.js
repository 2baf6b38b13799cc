const { test } = require("node:test");
const assert = require("node:assert/strict");
const sums = require("./sums"); // the student's file, whatever its name

test("seven", () => assert.equal(sums.sumTo(7), 28));
test("largest", () => assert.equal(sums.sumTo(1000), 500500)); // points: 2
