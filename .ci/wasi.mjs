// Runs a WebAssembly program: node .ci/wasi.mjs FILE.wasm [ARGUMENT...]
//
// Answers the few calls that a program makes which reads arguments and prints. Node's own
// `node:wasi` writes into freed memory when a program's memory has grown, and crashes at random.
import fs from 'node:fs';

const args = process.argv.slice(2).map((arg) => Buffer.from(`${arg}\0`));
let memory;
const view = () => new DataView(memory.buffer);
const calls = {
  args_sizes_get(count, size) {
    view().setUint32(count, args.length, true);
    view().setUint32(size, Buffer.concat(args).length, true);
    return 0;
  },
  args_get(pointers, bytes) {
    for (const arg of args) {
      view().setUint32(pointers, bytes, true);
      new Uint8Array(memory.buffer).set(arg, bytes);
      pointers += 4;
      bytes += arg.length;
    }
    return 0;
  },
  environ_sizes_get(count, size) {
    view().setUint32(count, 0, true);
    view().setUint32(size, 0, true);
    return 0;
  },
  environ_get: () => 0,
  fd_write(file, parts, count, written) {
    let all = 0;
    for (let part = parts; part < parts + 8 * count; part += 8) {
      const [from, length] = [view().getUint32(part, true), view().getUint32(part + 4, true)];
      fs.writeFileSync(file, new Uint8Array(memory.buffer, from, length));
      all += length;
    }
    view().setUint32(written, all, true);
    return 0;
  },
  proc_exit: (code) => process.exit(code),
  sched_yield: () => 0,
  // A hash table of the triangulation asks for a seed. No result may depend on it, so it is another
  // one each time.
  random_get(from, length) {
    crypto.getRandomValues(new Uint8Array(memory.buffer, from, length));
    return 0;
  },
};
// A library without threads of its own asks for them here.
const threads = {
  pthread_attr_init: () => 0,
  pthread_attr_setstacksize: () => 0,
  pthread_attr_destroy: () => 0,
  pthread_create: () => 58, // ENOTSUP
  pthread_detach: () => 0,
};
const program = await WebAssembly.compile(fs.readFileSync(process.argv[2]));
const imports = { wasi_snapshot_preview1: calls, env: threads };
const instance = await WebAssembly.instantiate(program, imports);
memory = instance.exports.memory;
instance.exports._start();
