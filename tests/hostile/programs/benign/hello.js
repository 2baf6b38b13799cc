// A virtual machine that reserves address space for its code and its heap.
// only: root user users weak none
// limits: memory=512 time=5
// expect: AC
const lines = require("fs").readFileSync(0, "utf8").split("\n");
Promise.resolve(lines.length).then((n) => console.log(n > 0 ? "ok" : "wrong"));
