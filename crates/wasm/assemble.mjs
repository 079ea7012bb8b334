// Makes the package and the page out of what wasm-bindgen wrote: node assemble.mjs FOLDER
//
// FOLDER/package has throng.js, throng.d.ts and throng_bg.wasm; it becomes an npm package.
// FOLDER/throng.html becomes the page: one file with the engine inside.
import fs from 'node:fs';
import path from 'node:path';
import zlib from 'node:zlib';
import { fileURLToPath, pathToFileURL } from 'node:url';

const here = path.dirname(fileURLToPath(import.meta.url));
const out = path.resolve(process.argv[2]);
const of = (name) => path.join(out, 'package', name);
const read = (...parts) => fs.readFileSync(path.join(here, ...parts), 'utf8');

// The package. In Node.js it reads its WebAssembly itself; elsewhere `await init()` fetches it.
const version = /^version = "(.*)"$/m.exec(read('Cargo.toml'))[1];
fs.writeFileSync(of('package.json'), `${JSON.stringify({
  name: 'throng',
  version,
  description: 'Moves, navigates and fights crowds of up to millions of agents, with the same bits on every machine',
  license: 'MIT OR Apache-2.0',
  keywords: ['crowd', 'simulation', 'flow-field', 'deterministic', 'webassembly'],
  type: 'module',
  main: './node.js',
  types: './throng.d.ts',
  exports: {
    '.': { types: './throng.d.ts', node: './node.js', default: './throng.js' },
    './throng_bg.wasm': './throng_bg.wasm',
  },
  files: ['node.js', 'throng.js', 'throng.d.ts', 'throng_bg.wasm', 'README.md', 'LICENSE-MIT', 'LICENSE-APACHE'],
  sideEffects: ['./node.js'],
}, null, 2)}\n`);
fs.writeFileSync(of('node.js'), `import { readFileSync } from 'node:fs';
import { initSync } from './throng.js';

const engine = initSync({ module: readFileSync(new URL('throng_bg.wasm', import.meta.url)) });

export * from './throng.js';
export default async () => engine;
`);
fs.rmSync(of('throng_bg.wasm.d.ts'), { force: true });
fs.writeFileSync(of('README.md'), read('..', '..', 'docs', 'wasm.md'));
for (const name of ['LICENSE-MIT', 'LICENSE-APACHE']) fs.copyFileSync(path.join(here, '..', '..', name), of(name));

// The interfaces of what the engine declares.
const { typeScript } = await import(pathToFileURL(of('node.js')));
fs.appendFileSync(of('throng.d.ts'), `\n${typeScript()}`);

// The page. Its script is not a module, as browsers start no modules as workers in a page that is opened as
// a file. In the page nothing looks for the WebAssembly at an address.
const glue = fs.readFileSync(of('throng.js'), 'utf8')
  .replace(/^export (?=class |function |async function )/gm, '')
  .replace(/^export \{.*\};?$/gm, '')
  .replaceAll('import.meta.url', 'undefined');
if (/^\s*(export|import)\b|import\.meta/m.test(glue)) throw new Error('the glue has exports or imports of an unknown kind');
const engine = zlib.gzipSync(fs.readFileSync(of('throng_bg.wasm')), { level: 9 }).toString('base64');
const parts = { ENGINE: engine, GLUE: glue, PAGE: read('page', 'page.js') };
for (const [name, text] of Object.entries(parts)) {
  if (/<\/script/i.test(text)) throw new Error(`${name} would end the script that it is in`);
}
const page = read('page', 'index.html').replace(/@(ENGINE|GLUE|PAGE)@/g, (_, name) => parts[name]);
fs.writeFileSync(path.join(out, 'throng.html'), page);

const size = (file) => `${(fs.statSync(file).size / 1e6).toFixed(2)} MB`;
console.log(`${of('throng_bg.wasm')}: ${size(of('throng_bg.wasm'))}`);
console.log(`${path.join(out, 'throng.html')}: ${size(path.join(out, 'throng.html'))}`);
