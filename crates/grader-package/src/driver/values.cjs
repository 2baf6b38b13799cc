// How values of JavaScript cross the border between a solution and the unit tests that judge it: as JSON with their types.
// Only built-in types are made of what arrives. Anything else stays in its process, and the other side gets a number. Containers
// are in shared.cjs.
"use strict";
const fs = require("node:fs");
const path = require("node:path");
const util = require("node:util");

// The longest line, in bytes.
const LONGEST = 4 << 20;
const ARRAYS = ["Int8Array", "Uint8Array", "Uint8ClampedArray", "Int16Array", "Uint16Array", "Int32Array", "Uint32Array",
  "Float32Array", "Float64Array", "BigInt64Array", "BigUint64Array"];
const ERRORS = [Error, EvalError, RangeError, ReferenceError, SyntaxError, TypeError, URIError];
// Kinds of objects that both sides have.
const KINDS = [Object, Function, Array, Map, Set, Error, Promise];
// By these properties, objects of a test match others (Jest's `expect.any`). The solution has none.
const HIDDEN = ["asymmetricMatch", "$$typeof"];
const { getPrototypeOf, defineProperty } = Object;
const { parse, stringify } = JSON;
const { isArray } = Array;
const { isDate, isMap, isSet, isRegExp, isProxy } = util.types;
const read = fs.readSync;
const write = fs.writeSync;

/** The JSON of a value. `shared` names containers, and `other` encodes what is no plain value. */
function encode(value, shared, other) {
  if (value === null || typeof value === "boolean" || typeof value === "string") return value;
  if (value === undefined) return { u: 0 };
  if (typeof value === "number") return isFinite(value) && !Object.is(value, -0) ? value : { n: Object.is(value, -0) ? "-0" : String(value) };
  if (typeof value === "bigint") return { b: String(value) };
  if (typeof value === "symbol") {
    const name = known_symbol(value);
    return name === undefined ? other(value) : { y: name };
  }
  if (isRegExp(value) && !isProxy(value) && getPrototypeOf(value) === RegExp.prototype) return { r: [value.source, value.flags] };
  return shared.name(value) ?? other(value);
}

/** The value of its JSON. `other` gets the names and values that stand for what is no plain value. */
function decode(written, shared, other) {
  if (typeof written !== "object" || written === null) return written;
  const [name] = Object.keys(written);
  const value = written[name];
  switch (name) {
    case "u": return undefined;
    case "n": return Number(value);
    case "b": return BigInt(value);
    case "y": {
      if (typeof Symbol[value] !== "symbol") throw new TypeError(name);
      return Symbol[value];
    }
    case "r": return new RegExp(String(value[0]), String(value[1]));
    case "a": return shared.named_by(value);
    default: return other(name, value);
  }
}

/** The name of a symbol that JavaScript itself has. */
function known_symbol(symbol) {
  return Object.getOwnPropertyNames(Symbol).find((name) => Symbol[name] === symbol);
}

/** Lines of JSON through two descriptors. */
class Lines {
  constructor(from, to) {
    Object.assign(this, { from, to, rest: Buffer.alloc(0) });
  }

  /** The next line; none if there is no more. Throws if it is too long. */
  next() {
    for (;;) {
      const end = this.rest.indexOf(10);
      if (end >= 0) {
        const line = this.rest.toString("utf8", 0, end);
        this.rest = this.rest.subarray(end + 1);
        return line;
      }
      if (this.rest.length > LONGEST) throw new RangeError(`more than ${LONGEST >> 20} MiB`);
      const part = Buffer.alloc(1 << 16);
      const more = this.again(() => read(this.from, part));
      if (more === 0) return undefined;
      this.rest = Buffer.concat([this.rest, part.subarray(0, more)]);
    }
  }

  say(value) {
    const bytes = Buffer.from(`${stringify(value)}\n`);
    for (let sent = 0; sent < bytes.length; ) sent += this.again(() => write(this.to, bytes, sent));
  }

  /** What a call returns, once the descriptor is ready. */
  again(call) {
    for (;;) {
      try {
        return call();
      } catch (error) {
        if (error.code === "EOF") return 0;
        if (error.code !== "EAGAIN") throw error;
        Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1);
      }
    }
  }
}

