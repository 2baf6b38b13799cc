// Arrays, plain objects and other containers that both sides of the border know: what changes in one there changes here, and one
// that comes back is the same object. Only so, tests see whether a function returns its argument or a copy, and whether two rows are one.
//
// A value names a container by its number. Each message has the contents of all that it names, and of all that have changed since the
// other side knew the same.

// The most containers that stay known after a call, and the most elements of one. Whatever is beyond is another object in the next call.
const MOST_KNOWN = 64, MOST_ELEMENTS = 256;

/** A value that cannot leave its process. */
class Stays extends Error {}

/** The kind of a container; none for other values. */
function kind_of(value) {
  if (typeof value !== "object" || value === null || isProxy(value)) return undefined;
  const kind = getPrototypeOf(value);
  if (isArray(value)) return kind === Array.prototype ? "array" : undefined;
  if (isMap(value)) return kind === Map.prototype ? "map" : undefined;
  if (isSet(value)) return kind === Set.prototype ? "set" : undefined;
  if (isDate(value)) return kind === Date.prototype ? "date" : undefined;
  if (Buffer.isBuffer(value)) return "Buffer";
  if (ArrayBuffer.isView(value)) return ARRAYS.find((name) => kind === globalThis[name].prototype);
  if (kind !== Object.prototype && kind !== null) return undefined;
  // Functions of an object share its state, so it stays where it is.
  for (const key of Reflect.ownKeys(value)) {
    const field = Reflect.getOwnPropertyDescriptor(value, key);
    if (!("value" in field) || typeof field.value === "function") return undefined;
  }
  return kind === null ? "bare" : "object";
}

function is_frozen(value) {
  // The first is quick.
  return !Object.isExtensible(value) && Object.isFrozen(value);
}

/** What is in a container, in a row. The kind says what it is without asking again, as this is done with each message. */
function elements(value, kind) {
  const items = [];
  switch (kind) {
    case "array": return value;
    case "map":
      for (const [key, item] of value) items.push(key, item);
      return items;
    case "set": return [...value];
    case "date": return [value.getTime()];
    case "object":
    case "bare":
      for (const key of Object.keys(value)) items.push(key, value[key]);
      return items;
    default: return Buffer.from(value.buffer, value.byteOffset, value.byteLength);
  }
}

function is_same(some, others) {
  if (some.length !== others.length) return false;
  for (let at = 0; at < some.length; at++) {
    const one = some[at], other = others[at];
    // Most are alike at once.
    if (one === other && one !== 0 && one !== undefined) continue;
    if (!Object.is(one, other) || (one === undefined && at in some !== at in others)) return false;
  }
  return true;
}

/** A container with nothing in it, but typed arrays, whose length cannot change. */
function empty(kind, items) {
  switch (kind) {
    case "array": return [];
    case "map": return new Map();
    case "set": return new Set();
    case "date": return new Date(NaN);
    case "object": return {};
    case "bare": return Object.create(null);
  }
  const bytes = Buffer.from(String(items[0]), "base64");
  if (kind !== "Buffer" && !ARRAYS.includes(kind)) throw new TypeError(kind);
  return kind === "Buffer" ? bytes : new globalThis[kind](new Uint8Array(bytes).buffer);
}

/** Makes a container equal to a content. */
function fill(value, kind, items) {
  if (kind === "array") {
    value.length = items.length;
    items.forEach((item, at) => (item === Shared.HOLE ? delete value[at] : (value[at] = item)));
  } else if (kind === "map") {
    value.clear();
    for (let at = 0; at < items.length; at += 2) value.set(items[at], items[at + 1]);
  } else if (kind === "set") {
    value.clear();
    items.forEach((item) => value.add(item));
  } else if (kind === "date") {
    // A stand-in would be asked for its number.
    if (typeof items[0] !== "number") throw new TypeError(kind);
    value.setTime(items[0]);
  } else if (kind === "object" || kind === "bare") {
    Object.keys(value).forEach((key) => Reflect.deleteProperty(value, key));
    for (let at = 0; at < items.length; at += 2) {
      const [key, item] = [items[at], items[at + 1]];
      if (typeof key !== "string" || typeof item === "function") throw new TypeError(kind);
      if (!HIDDEN.includes(key)) Reflect.defineProperty(value, key, { value: item, writable: true, enumerable: true, configurable: true });
    }
  } else {
    const bytes = Buffer.from(String(items[0]), "base64");
    if (bytes.length !== value.byteLength) throw new TypeError(kind);
    elements(value, kind).set(bytes);
  }
}

class Shared {
  static HOLE = Symbol("hole");

  constructor(first) {
    // The numbers of this side are even or odd. The pictures are what both sides know of the contents.
    Object.assign(this, { first, next: first, numbers: new Map(), objects: new Map(), pictures: new Map() });
    // Those that were used last. Others are known until the end of a call.
    this.recent = new Map();
    this.start();
  }

  /** Starts a message, which names nothing yet. */
  start() {
    this.named = new Set();
    this.queue = [];
  }

  add(number, value) {
    this.numbers.set(value, number);
    this.objects.set(number, value);
  }

  forget(number) {
    this.numbers.delete(this.objects.get(number));
    for (const known of [this.objects, this.pictures, this.recent]) known.delete(number);
  }

  /** Notes what both sides know of a container now, and that it was used last. */
  touch(number, value, kind) {
    const now = elements(value, kind);
    this.recent.delete(number);
    if ((ArrayBuffer.isView(value) ? value : now).length <= MOST_ELEMENTS) this.recent.set(number, value);
    if (this.recent.size > MOST_KNOWN) this.recent.delete(this.recent.keys().next().value);
    this.pictures.set(number, { kind, was_frozen: is_frozen(value), before: isArray(now) ? now.slice() : new Uint8Array(now) });
  }

  has_changed(number, value) {
    const { kind, was_frozen, before } = this.pictures.get(number);
    return is_frozen(value) !== was_frozen || !is_same(elements(value, kind), before);
  }

  /** What is written for a container; none for other values. */
  name(value) {
    const kind = kind_of(value);
    if (kind === undefined) return undefined;
    if (!this.numbers.has(value)) {
      this.add(this.next, value);
      this.next += 2;
    }
    const number = this.numbers.get(value);
    if (!this.named.has(number)) this.queue.push([number, kind]);
    this.named.add(number);
    return { a: number };
  }

  content([number, kind], encode) {
    const value = this.objects.get(number);
    const items = elements(value, kind);
    const item = (one, at) => (one === undefined && !(at in items) ? { e: 0 } : encode(one));
    const written = isArray(items) ? Array.from(items, item) : [items.toString("base64")];
    this.touch(number, value, kind);
    return [number, kind, written, is_frozen(value)];
  }

  /** The contents for the message. In the middle of a call (`is_inside`), changes of those used last are enough. */
  contents(encode, is_inside) {
    const written = [];
    const { queue, named } = this;
    // Contents name more containers, which follow.
    const write = () => {
      while (written.length < queue.length) written.push(this.content(queue[written.length], encode));
    };
    try {
      write();
      for (const [number, value] of [...(is_inside ? this.recent : this.objects)]) {
        if (named.has(number) || !this.objects.has(number) || !this.has_changed(number, value)) continue;
        const start = queue.length;
        try {
          // An object that has functions now is none that both sides have.
          if (this.name(value) === undefined) this.forget(number);
          write();
        } catch (error) {
          if (!(error instanceof Stays)) throw error;
          // Nothing asks for it yet, so it may have what cannot leave.
          written.length = start;
          for (const [one] of queue.splice(start)) {
            this.forget(one);
            named.delete(one);
          }
        }
      }
    } catch (error) {
      queue.forEach(([number]) => this.forget(number));
      throw error;
    } finally {
      this.start();
    }
    return written;
  }

  /** Takes the contents of a message, before what names them. */
  read(contents, decode) {
    for (const [number, kind, items] of contents) {
      if (this.objects.has(number)) {
        if (this.pictures.get(number)?.kind !== kind) throw new TypeError(kind);
        continue;
      }
      const is_new = number % 2 !== this.first || number < this.next;
      if (!Number.isSafeInteger(number) || number < 0 || !is_new) throw new TypeError(kind);
      this.add(number, empty(kind, items));
    }
    for (const [number, kind, items, freezes] of contents) {
      const value = this.objects.get(number);
      const inside = items.map((item) => (item?.e === 0 ? Shared.HOLE : decode(item)));
      if (!is_same(elements(value, kind), inside)) fill(value, kind, inside);
      if (freezes === true) Object.freeze(value);
      this.touch(number, value, kind);
    }
  }

  /** The container of a number. */
  named_by(number) {
    if (!this.objects.has(number)) throw new TypeError(String(number));
    return this.objects.get(number);
  }

  /** Ends a call: forgets what is long, and what was not used lately. */
  trim() {
    for (const number of this.objects.keys()) if (!this.recent.has(number)) this.forget(number);
  }
}
