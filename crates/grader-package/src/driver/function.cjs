// Calls one function of a solution in JavaScript. Standard input has its arguments as JSON, and this program writes what the
// function returns as JSON.
"use strict";
const { randomBytes } = require("node:crypto");
const fs = require("node:fs");
const Module = require("node:module");
const path = require("node:path");
const { pathToFileURL } = require("node:url");

const FUNCTION = "@FUNCTION@";
// Bound before anything of the solution runs, which may put other functions into their places.
const { parse, stringify } = JSON;
const { isArray } = Array;
const { exit } = process;
const isSafe = Number.isSafeInteger;
const write = fs.writeSync;
// Marks numbers in texts that JSON in JavaScript cannot say.
const MARK = randomBytes(16).toString("hex");

function fail(words) {
  write(2, `${words}\n`);
  exit(1);
}

/** The source of the solution: `solution.js`, the only one, or the only one that names the function. */
function source() {
  const others = fs.readdirSync(__dirname).filter((name) => /\.[cm]?js$/i.test(name) && name !== path.basename(__filename));
  const named = others.filter((name) => /^solution\.[cm]?js$/i.test(name));
  const naming = others.filter((name) => fs.readFileSync(path.join(__dirname, name), "utf8").includes(FUNCTION));
  const [found, ...more] = named.length > 0 ? named : naming.length === 1 ? naming : others;
  if (found === undefined) fail("there is no solution");
  if (more.length > 0) fail("several files: the solution is none of them; name it solution.js");
  return path.join(__dirname, found);
}

/** What the solution exports, and the function if it is only defined. */
async function load(file) {
  const text = fs.readFileSync(file, "utf8");
  if (/\.mjs$/i.test(file) || /^\s*(export\b|import\b(?!\s*\())/m.test(text)) return import(pathToFileURL(file));
  const module = new Module(file);
  module.filename = file;
  module.paths = Module._nodeModulePaths(__dirname);
  const found = `[typeof Solution === "undefined" ? undefined : Solution, typeof ${FUNCTION} === "undefined" ? undefined : ${FUNCTION}]`;
  module._compile(`${text}\n;module[Symbol.for("${MARK}")] = ${found};`, file);
  const [Solution, defined] = module[Symbol.for(MARK)] ?? [];
  const exported = module.exports ?? {};
  return { Solution: exported.Solution ?? Solution, [FUNCTION]: exported[FUNCTION] ?? defined, default: exported };
}

function called({ Solution, [FUNCTION]: named, default: whole }, values) {
  const object = typeof Solution === "function" ? new Solution() : undefined;
  if (typeof object?.[FUNCTION] === "function") return object[FUNCTION](...values);
  if (typeof Solution?.[FUNCTION] === "function") return Solution[FUNCTION](...values);
  const call = [named, whole?.[FUNCTION], whole].find((one) => typeof one === "function");
  if (call === undefined) fail(`there is neither a function \`${FUNCTION}\` nor a class \`Solution\` with it`);
  return call(...values);
}

/** The values of a JSON text. Integers that a number cannot hold exactly are of the type BigInt. */
function read(text) {
  const marked = text.replace(/"(?:[^"\\]|\\.)*"|-?\d+(\.\d+)?([eE][-+]?\d+)?/g, (token, fraction, exponent) => {
    const isLarge = token[0] !== '"' && fraction === undefined && exponent === undefined && !isSafe(Number(token));
    return isLarge ? `"${MARK}${token}"` : token;
  });
  return parse(marked, (_, value) => {
    return typeof value === "string" && value.startsWith(MARK) ? BigInt(value.slice(MARK.length)) : value;
  });
}

/** The JSON of a value. Infinite numbers are written as such, which is not JSON. */
function written(value) {
  const text = stringify(value, function (key, value) {
    if (typeof value === "bigint" || (typeof value === "number" && !isFinite(value))) return MARK + String(value);
    if (typeof value === "object" && value !== null && !isArray(value) && ["Map", "Set"].includes(value.constructor?.name)) {
      throw new TypeError(`a ${value.constructor.name} is not a JSON value`);
    }
    return value;
  });
  return text === undefined ? "null" : text.replaceAll(new RegExp(`"${MARK}([^"]*)"`, "g"), "$1");
}

async function main() {
  // What the solution itself prints is not a result.
  Object.defineProperty(process, "stdout", { get: () => process.stderr });
  const values = read(fs.readFileSync(0, "utf8"));
  if (!isArray(values)) fail("arguments by name are for Python alone: write a list");
  const result = Buffer.from(`${written(await called(await load(source()), values))}\n`);
  for (let sent = 0; sent < result.length; ) {
    try {
      sent += write(1, result, sent);
    } catch (error) {
      if (error.code !== "EAGAIN") throw error;
    }
  }
}

main().catch((error) => fail(error?.stack ?? String(error)));
