// The page, and the worker that runs the engine: one text, so that the page is one file. The classes
// of the package stand above, in the same text.

/** Longest time in ms for which the worker steps without looking at its messages. */
const SLICE = 25;
/** Radius in CSS pixels below which no agent is drawn. */
const LEAST_RADIUS = 1.1;

/* ---- The worker ---- */

function work() {
  let sim, replay, differs;
  const play = { on: false, speed: 1, until: Infinity, last: 0, owed: 0 };
  const rate = { ticks: 0, since: 0, now: 0 };
  let wanted = false;
  let changed = false;
  let mapVersion;
  let isScheduled = false;

  const say = (message, transfer = []) => self.postMessage(message, transfer);
  const soon = new MessageChannel();
  soon.port1.onmessage = () => { isScheduled = false; guarded(run); };
  const schedule = () => {
    if (!isScheduled) { isScheduled = true; soon.port2.postMessage(0); }
  };
  const guarded = (task) => {
    try { task(); } catch (error) { play.on = false; say({ say: 'error', text: error.message ?? String(error) }); }
  };

  const isOver = () => sim.tick >= play.until || (replay && sim.tick >= replay.endTick);
  function tick() {
    if (!replay) { sim.step(); } else {
      replay.step(sim);
      if (differs === undefined && replay.digest(sim.tick) !== sim.digest()) differs = sim.tick;
    }
    rate.ticks++;
    changed = true;
  }

  function run() {
    if (!sim) return;
    const began = performance.now();
    if (play.on) {
      play.owed += (began - play.last) / 1000 * sim.tickRate * play.speed;
      play.last = began;
      let left = play.speed === Infinity ? Infinity : Math.floor(play.owed);
      while (left > 0 && !isOver() && performance.now() - began < SLICE) { tick(); left--; play.owed--; }
      // What it cannot keep up with is dropped: the clock decides when ticks are done, not what they do.
      play.owed = Math.min(Math.max(play.owed, 0), 1);
      if (isOver()) { play.on = false; say({ say: 'paused' }); }
    }
    const now = performance.now();
    if (now - rate.since > 500) {
      rate.now = rate.ticks / (now - rate.since) * 1000;
      rate.ticks = 0;
      rate.since = now;
    }
    if (wanted && changed) frame();
    if (play.on) {
      if (play.speed === Infinity || play.owed >= 1) schedule(); else setTimeout(schedule, 4);
    }
  }

  function frame() {
    wanted = changed = false;
    if (sim.mapVersion !== mapVersion) map();
    const shots = sim.projectiles();
    const [agents, flying] = [sim.agentCount, shots.length / 3];
    const room = (type, size, column) => {
      if (!flying) return column;
      const all = new type(size * (agents + flying));
      all.set(column);
      return all;
    };
    const positions = room(Float32Array, 2, sim.positions());
    const velocities = room(Float32Array, 2, sim.velocities());
    const groups = room(Uint16Array, 1, sim.groupIndices());
    const states = room(Uint8Array, 1, sim.states());
    const known = sim.groups();
    for (let i = 0; i < flying; i++) {
      positions.set([shots[3 * i], shots[3 * i + 1]], 2 * (agents + i));
      groups[agents + i] = 0xffff;
    }
    const columns = [positions, velocities, groups, states];
    say({
      say: 'frame', agents, drawn: agents + flying, columns, groups: known, tick: sim.tick,
      seconds: sim.seconds, digest: sim.digest(), rate: rate.now, differs,
    }, columns.map((column) => column.buffer));
  }

  function map() {
    mapVersion = sim.mapVersion;
    const [costs, letters] = [sim.mapCosts(), sim.mapLetters()];
    say({ say: 'map', width: sim.mapWidth, height: sim.mapHeight, cell: sim.cellSize, costs, letters },
      [costs.buffer, letters.buffer]);
  }

  function open({ kind, name, text, file, bytes, options }) {
    play.on = false;
    sim?.free();
    replay?.free();
    sim = replay = differs = mapVersion = undefined;
    if (kind === 'replay') {
      replay = new Replay(bytes);
      sim = replay.start();
    } else {
      sim = kind === 'shipped' ? Simulation.shipped(name, options)
        : Simulation.fromScenario(text, { ...options, file });
    }
    Object.assign(rate, { ticks: 0, since: performance.now(), now: 0 });
    changed = true;
    say({
      say: 'opened', numeric: sim.numeric, tickRate: sim.tickRate, label: replay?.label,
      first: replay?.firstTick, end: replay?.endTick,
    });
    map();
  }

  const tasks = {
    engine({ bytes }) {
      initSync({ module: bytes });
      say({ say: 'ready', shipped: shippedNames().map((name) => shippedScenario(name)) });
    },
    open,
    play({ speed, until }) {
      Object.assign(play, { on: true, speed, until: until ?? Infinity, last: performance.now(), owed: 0 });
      Object.assign(rate, { ticks: 0, since: performance.now() });
    },
    pause() { play.on = false; },
    step() { play.on = false; if (!isOver()) tick(); },
    seek({ tick }) { replay.seek(sim, tick); changed = true; },
    frame() { wanted = true; },
    record({ label }) { sim.record(label); },
    finish() { const bytes = sim.finishRecording(); say({ say: 'recorded', bytes }, [bytes.buffer]); },
  };
  self.onmessage = ({ data }) => guarded(() => {
    if (data.do === 'step') play.until = Infinity;
    tasks[data.do](data);
    schedule();
  });
}

/* ---- Drawing ---- */

const GROUND = [`#version 300 es
uniform vec4 view;
out vec2 at;
void main() {
  vec2 corner = vec2(gl_VertexID & 1, gl_VertexID >> 1) * 4.0 - 1.0;
  at = view.xy + corner * view.zw;
  gl_Position = vec4(corner.x, -corner.y, 0, 1);
}`, `#version 300 es
precision highp float;
uniform sampler2D cells;
uniform vec2 size;
uniform vec3 paper;
in vec2 at;
out vec4 colour;
void main() {
  vec2 share = at / size;
  bool on = all(greaterThanEqual(share, vec2(0))) && all(lessThan(share, vec2(1)));
  colour = vec4(on ? texture(cells, share).rgb : paper, 1);
}`];

const AGENTS = [`#version 300 es
uniform vec4 view;
uniform vec2 pixel;
uniform float back;
uniform vec3 shot;
uniform highp sampler2D groups;
layout(location = 0) in vec2 pos;
layout(location = 1) in vec2 vel;
layout(location = 2) in uint group;
layout(location = 3) in uint state;
out vec2 spot;
out vec3 shade;
out float pixels;
flat out vec2 heading;
void main() {
  bool flies = group == 65535u;
  vec4 kind = flies ? vec4(shot, 0.35)
    : texelFetch(groups, ivec2(int(group) & 255, int(group) >> 8), 0);
  float radius = max(kind.a, pixel.y * pixel.x);
  spot = (vec2(gl_VertexID & 1, gl_VertexID >> 1) * 2.0 - 1.0) * 1.15;
  pixels = radius / pixel.x;
  shade = (state & 1u) != 0u ? kind.rgb * 0.62 : kind.rgb;
  float speed = length(vel);
  heading = speed > 0.05 && !flies ? vel / speed : vec2(0);
  vec2 at = pos - vel * back + spot * radius;
  gl_Position = vec4((at - view.xy) / view.zw * vec2(1, -1), 0, 1);
}`, `#version 300 es
precision highp float;
in vec2 spot;
in vec3 shade;
in float pixels;
flat in vec2 heading;
out vec4 colour;
void main() {
  float r = length(spot), edge = 1.0 / pixels;
  float cover = 1.0 - smoothstep(1.0 - 0.5 * edge, 1.0 + 0.5 * edge, r);
  if (cover <= 0.0) discard;
  vec3 own = shade;
  if (pixels > 3.5) {
    own = mix(own, own * 0.55, smoothstep(0.72, 0.86, r));
    float nose = length(spot - heading * 0.5);
    if (heading != vec2(0)) own = mix(mix(own, vec3(1), 0.8), own, smoothstep(0.2, 0.3, nose));
  }
  colour = vec4(own, cover);
}`];

function renderer(canvas) {
  const gl = canvas.getContext('webgl2', { antialias: false, alpha: false });
  if (!gl) return null;
  const program = ([vertex, fragment]) => {
    const made = gl.createProgram();
    for (const [kind, text] of [[gl.VERTEX_SHADER, vertex], [gl.FRAGMENT_SHADER, fragment]]) {
      const shader = gl.createShader(kind);
      gl.shaderSource(shader, text);
      gl.compileShader(shader);
      gl.attachShader(made, shader);
    }
    gl.linkProgram(made);
    if (!gl.getProgramParameter(made, gl.LINK_STATUS)) throw new Error(gl.getProgramInfoLog(made));
    return { made, at: (name) => gl.getUniformLocation(made, name) };
  };
  const [ground, agents] = [program(GROUND), program(AGENTS)];
  const texture = (unit) => {
    gl.activeTexture(gl.TEXTURE0 + unit);
    gl.bindTexture(gl.TEXTURE_2D, gl.createTexture());
    for (const [key, value] of [['MIN_FILTER', gl.NEAREST], ['MAG_FILTER', gl.NEAREST],
      ['WRAP_S', gl.CLAMP_TO_EDGE], ['WRAP_T', gl.CLAMP_TO_EDGE]]) {
      gl.texParameteri(gl.TEXTURE_2D, gl[`TEXTURE_${key}`], value);
    }
  };
  texture(0);
  texture(1);
  gl.pixelStorei(gl.UNPACK_ALIGNMENT, 1);
  const empty = gl.createVertexArray();
  const instances = gl.createVertexArray();
  gl.bindVertexArray(instances);
  const columns = [[gl.FLOAT, 2], [gl.FLOAT, 2], [gl.UNSIGNED_SHORT, 1], [gl.UNSIGNED_BYTE, 1]]
    .map(([type, size], location) => {
      const buffer = gl.createBuffer();
      gl.bindBuffer(gl.ARRAY_BUFFER, buffer);
      gl.enableVertexAttribArray(location);
      gl.vertexAttribDivisor(location, 1);
      if (type === gl.FLOAT) gl.vertexAttribPointer(location, size, type, false, 0, 0);
      else gl.vertexAttribIPointer(location, size, type, 0, 0);
      return buffer;
    });
  let drawn = 0;
  let size = [1, 1];

  return {
    map({ width, height, cell, costs, letters }, dark) {
      size = [width * cell, height * cell];
      const pixels = new Uint8Array(width * height * 3);
      for (let i = 0; i < costs.length; i++) pixels.set(cellColour(costs[i], letters[i], dark), 3 * i);
      gl.activeTexture(gl.TEXTURE0);
      gl.texImage2D(gl.TEXTURE_2D, 0, gl.RGB8, width, height, 0, gl.RGB, gl.UNSIGNED_BYTE, pixels);
    },
    groups(list) {
      const rows = Math.max(1, Math.ceil(list.length / 256));
      const data = new Float32Array(256 * rows * 4);
      list.forEach(({ color, radius, index }) => data.set([...color.map((c) => c / 255), radius], 4 * index));
      gl.activeTexture(gl.TEXTURE1);
      gl.texImage2D(gl.TEXTURE_2D, 0, gl.RGBA32F, 256, rows, 0, gl.RGBA, gl.FLOAT, data);
    },
    frame(frame) {
      drawn = frame.drawn;
      frame.columns.forEach((column, i) => {
        gl.bindBuffer(gl.ARRAY_BUFFER, columns[i]);
        gl.bufferData(gl.ARRAY_BUFFER, column, gl.STREAM_DRAW);
      });
    },
    draw(camera, back, paper, shot) {
      const [width, height] = [canvas.width, canvas.height];
      const half = [width / 2 * camera.scale, height / 2 * camera.scale];
      gl.viewport(0, 0, width, height);
      gl.disable(gl.BLEND);
      gl.bindVertexArray(empty);
      gl.useProgram(ground.made);
      gl.uniform4f(ground.at('view'), camera.x, camera.y, ...half);
      gl.uniform2f(ground.at('size'), ...size);
      gl.uniform3f(ground.at('paper'), ...paper);
      gl.uniform1i(ground.at('cells'), 0);
      gl.drawArrays(gl.TRIANGLES, 0, 3);
      gl.enable(gl.BLEND);
      gl.blendFunc(gl.SRC_ALPHA, gl.ONE_MINUS_SRC_ALPHA);
      gl.bindVertexArray(instances);
      gl.useProgram(agents.made);
      gl.uniform4f(agents.at('view'), camera.x, camera.y, ...half);
      gl.uniform2f(agents.at('pixel'), camera.scale, LEAST_RADIUS * devicePixelRatio);
      gl.uniform1f(agents.at('back'), back);
      gl.uniform3f(agents.at('shot'), ...shot);
      gl.uniform1i(agents.at('groups'), 1);
      gl.drawArraysInstanced(gl.TRIANGLE_STRIP, 0, 4, drawn);
    },
  };
}

/** Colours of the usual letters: grass, swamp, trees, water. */
const LETTERS = { G: [0xd9, 0xe4, 0xc2], S: [0xc3, 0xcf, 0xb4], T: [0x8f, 0xb0, 0x84], W: [0xa8, 0xcc, 0xe2] };

function cellColour(cost, letter, dark) {
  const usual = LETTERS[String.fromCharCode(letter)];
  let colour = usual ?? [0xee, 0xeb, 0xe0];
  if (cost === 0) colour = usual ? usual.map((c) => c * 0.72) : [0x5c, 0x5f, 0x66];
  else if (cost !== 16 && !usual) {
    const slow = Math.min((cost - 16) / 48, 1);
    colour = slow > 0 ? colour.map((c, i) => c - slow * [70, 50, 80][i]) : colour.map((c) => c + 10);
  }
  if (!dark) return colour;
  return cost === 0 && !usual ? [0x0c, 0x0d, 0x10] : colour.map((c) => c * 0.27);
}

/* ---- The page ---- */

async function page() {
  const of = (id) => document.getElementById(id);
  const canvas = of('canvas');
  const draws = renderer(canvas);
  const complain = (text) => { of('message').textContent = text ?? ''; of('message').hidden = !text; };
  if (!draws) return complain('This browser does not give the page WebGL 2, with which the agents are drawn.');

  const asked = new URLSearchParams(location.hash.slice(1));
  const dark = matchMedia('(prefers-color-scheme: dark)');
  const camera = { x: 0, y: 0, scale: 1 };
  let map, frame, opened, source, isPlaying = false, isRecording = false, arrived = 0;
  let shipped = [];

  const worker = new Worker(
    URL.createObjectURL(new Blob([of('code').textContent], { type: 'text/javascript' })));
  const tell = (what, rest = {}, transfer = []) => worker.postMessage({ do: what, ...rest }, transfer);
  worker.onerror = (event) => complain(`The engine does not start: ${event.message ?? 'no worker'}`);
  const packed = Uint8Array.from(atob(of('engine').textContent), (c) => c.charCodeAt(0));
  const unpacked = new Blob([packed]).stream().pipeThrough(new DecompressionStream('gzip'));
  const engine = await new Response(unpacked).arrayBuffer();
  tell('engine', { bytes: engine }, [engine]);

  /* What runs */

  function begin(next) {
    source = next ?? source;
    setPlaying(false);
    setRecording(false);
    frame = undefined;
    complain();
    const [agents, numeric] = [of('agents').value, of('numeric').value];
    const options = { ...(agents && { agents: +agents }), ...(numeric && { numeric }) };
    if (source.maps) options.maps = source.maps;
    tell('open', { ...source, options });
    tell('frame');
  }
  const speed = () => (of('speed').value === 'max' ? Infinity : +of('speed').value);
  function setPlaying(on, until) {
    isPlaying = on;
    of('play').textContent = on ? 'Pause' : 'Play';
    tell(on ? 'play' : 'pause', { speed: speed(), until });
  }
  function setRecording(on) {
    isRecording = on;
    of('record').textContent = on ? 'Save replay' : 'Record';
  }
  async function openFiles(files) {
    const list = await Promise.all([...files].map(async (file) => ({
      name: file.name, bytes: new Uint8Array(await file.arrayBuffer()),
    })));
    const replay = list.find(({ name }) => name.endsWith('.throng'));
    if (replay) return begin({ kind: 'replay', bytes: replay.bytes });
    const scenario = list.find(({ name }) => name.endsWith('.toml'));
    if (!scenario) return complain('Drop a scenario (.toml), with the maps that it names, or a replay (.throng).');
    const text = new TextDecoder().decode(scenario.bytes);
    // A scenario names its maps by path; files that are dropped have none, so their names must do.
    const maps = {};
    for (const { name, bytes } of list) {
      for (const [, path] of text.matchAll(/"([^"\n]+)"/g)) {
        if (path === name || path.endsWith(`/${name}`)) maps[path] = bytes;
      }
    }
    begin({ kind: 'scenario', text, file: scenario.name, maps });
  }

  /* What the worker says */

  const hears = {
    ready(message) {
      shipped = message.shipped;
      for (const { name } of shipped) of('scenario').add(new Option(name, name));
      for (const id of ['scenario', 'agents', 'numeric', 'speed']) {
        const value = asked.get(id) ?? (id === 'scenario' ? 'crossing' : null);
        if (value !== null && [...of(id).options].every((option) => option.value !== value)) {
          of(id).add(new Option(value, value));
        }
        if (value !== null) of(id).value = value;
      }
      begin({ kind: 'shipped', name: of('scenario').value });
      if (asked.has('until')) setPlaying(true, +asked.get('until'));
      else if (asked.has('play')) setPlaying(true);
    },
    opened(message) {
      opened = message;
      const isReplay = opened.end !== undefined;
      of('seek').hidden = !isReplay;
      of('verdict').parentElement.hidden = !isReplay;
      for (const id of ['agents', 'numeric', 'record']) of(id).disabled = isReplay;
      if (isReplay) Object.assign(of('seek'), { min: opened.first, max: opened.end, value: opened.first });
      const known = shipped.find(({ name }) => source.kind === 'shipped' && name === source.name);
      of('about').hidden = false;
      of('about').replaceChildren(Object.assign(document.createElement('b'), {
        textContent: known?.name ?? source.file ?? opened.label ?? '',
      }), ` · ${opened.numeric} · ${opened.tickRate} ticks a second`, Object.assign(document.createElement('p'), {
        textContent: known?.description ?? '',
      }));
    },
    map(message) {
      const isNew = map?.width !== message.width || map?.height !== message.height || !frame;
      map = message;
      draws.map(map, dark.matches);
      if (isNew) fit();
    },
    frame(message) {
      frame = message;
      arrived = performance.now();
      draws.groups(frame.groups);
      draws.frame(frame);
      const number = (value) => value.toLocaleString('en');
      of('tick').textContent = number(frame.tick);
      of('time').textContent = `${frame.seconds.toFixed(1)} s`;
      of('count').textContent = number(frame.agents);
      of('rate').textContent = isPlaying ? frame.rate.toFixed(1) : '–';
      of('digest').textContent = frame.digest;
      // It has been read by then, and lies over the map.
      of('about').lastChild.hidden = frame.tick > 0;
      if (opened?.end !== undefined) {
        of('seek').value = frame.tick;
        of('verdict').className = frame.differs === undefined ? 'good' : 'bad';
        of('verdict').textContent = frame.differs === undefined
          ? 'as recorded' : `DIFFERS from tick ${number(frame.differs)} on`;
      }
      legend();
    },
    paused() { isPlaying = false; of('play').textContent = 'Play'; },
    recorded({ bytes }) {
      const link = document.createElement('a');
      link.href = URL.createObjectURL(new Blob([bytes]));
      link.download = `${source.name ?? 'run'}.throng`;
      link.click();
      setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
    },
    error({ text }) { hears.paused(); complain(text); },
  };
  worker.onmessage = ({ data }) => hears[data.say](data);

  function legend() {
    const shown = frame.groups.filter(({ members }) => members > 0).slice(0, 12);
    of('legend').hidden = shown.length === 0;
    of('legend').replaceChildren(...shown.map(({ name, color, members, arrived: there }) => {
      const row = document.createElement('div');
      const dot = document.createElement('i');
      dot.style.background = `rgb(${color})`;
      const count = document.createElement('span');
      count.textContent = `${members.toLocaleString('en')}${there ? `, ${there.toLocaleString('en')} in` : ''}`;
      row.append(dot, name, count);
      return row;
    }));
  }

  /* The camera: the middle of the picture in metres, and metres a device pixel */

  function resize() {
    const [width, height] = [canvas.clientWidth, canvas.clientHeight].map((c) => Math.round(c * devicePixelRatio));
    if (canvas.width !== width || canvas.height !== height) Object.assign(canvas, { width, height });
  }
  function fit() {
    resize();
    const [width, height] = [map.width * map.cell, map.height * map.cell];
    camera.x = width / 2;
    camera.y = height / 2;
    camera.scale = 1.04 * Math.max(width / canvas.width, height / canvas.height);
  }
  const place = (x, y) => {
    const box = canvas.getBoundingClientRect();
    const [px, py] = [(x - box.left) * devicePixelRatio, (y - box.top) * devicePixelRatio];
    return [camera.x + (px - canvas.width / 2) * camera.scale, camera.y + (py - canvas.height / 2) * camera.scale];
  };
  function zoom(factor, x, y) {
    const before = place(x, y);
    camera.scale = Math.min(Math.max(camera.scale * factor, 0.002), 50);
    const after = place(x, y);
    camera.x += before[0] - after[0];
    camera.y += before[1] - after[1];
  }
  const middle = () => {
    const box = canvas.getBoundingClientRect();
    return [box.left + box.width / 2, box.top + box.height / 2];
  };

  const fingers = new Map();
  canvas.onpointerdown = (event) => {
    canvas.setPointerCapture(event.pointerId);
    fingers.set(event.pointerId, event);
  };
  canvas.onpointerup = canvas.onpointercancel = (event) => fingers.delete(event.pointerId);
  canvas.onpointermove = (event) => {
    const last = fingers.get(event.pointerId);
    if (!last) return;
    const other = [...fingers.values()].find(({ pointerId }) => pointerId !== event.pointerId);
    const share = fingers.size > 1 ? 0.5 : 1;
    camera.x -= (event.clientX - last.clientX) * devicePixelRatio * camera.scale * share;
    camera.y -= (event.clientY - last.clientY) * devicePixelRatio * camera.scale * share;
    if (other) {
      const apart = (one) => Math.hypot(one.clientX - other.clientX, one.clientY - other.clientY);
      zoom(apart(last) / Math.max(apart(event), 1), other.clientX, other.clientY);
    }
    fingers.set(event.pointerId, event);
  };
  canvas.addEventListener('wheel', (event) => {
    event.preventDefault();
    zoom(Math.exp(event.deltaY * (event.deltaMode ? 0.05 : 0.0015)), event.clientX, event.clientY);
  }, { passive: false });

  const keys = {
    ' ': () => of('play').click(),
    '.': () => of('step').click(),
    r: () => begin(),
    0: fit,
    '+': () => zoom(1 / 1.3, ...middle()),
    '-': () => zoom(1.3, ...middle()),
    ArrowLeft: () => { camera.x -= 80 * camera.scale; },
    ArrowRight: () => { camera.x += 80 * camera.scale; },
    ArrowUp: () => { camera.y -= 80 * camera.scale; },
    ArrowDown: () => { camera.y += 80 * camera.scale; },
  };
  document.addEventListener('keydown', (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.target.matches('select, input') || (event.target.matches('button') && event.key === ' ')) return;
    const action = keys[event.key];
    if (action) { event.preventDefault(); action(); }
  });

  /* Controls */

  of('play').onclick = () => setPlaying(!isPlaying);
  of('step').onclick = () => { hears.paused(); tell('step'); };
  of('speed').onchange = () => { if (isPlaying) setPlaying(true); };
  of('restart').onclick = () => begin();
  of('scenario').onchange = () => begin({ kind: 'shipped', name: of('scenario').value });
  of('agents').onchange = of('numeric').onchange = () => begin();
  of('seek').oninput = () => tell('seek', { tick: +of('seek').value });
  of('record').onclick = () => {
    tell(isRecording ? 'finish' : 'record', { label: source.name ?? source.file ?? '' });
    setRecording(!isRecording);
  };
  of('open').onclick = () => of('files').click();
  of('files').onchange = () => openFiles(of('files').files);
  document.ondragover = (event) => { event.preventDefault(); document.body.classList.add('drop'); };
  document.ondragleave = () => document.body.classList.remove('drop');
  document.ondrop = (event) => {
    event.preventDefault();
    document.body.classList.remove('drop');
    openFiles(event.dataTransfer.files);
  };
  dark.onchange = () => map && draws.map(map, dark.matches);

  /* Pictures */

  function scaleBar() {
    const most = 160 * devicePixelRatio * camera.scale;
    const unit = 10 ** Math.floor(Math.log10(most));
    const metres = [5, 2, 1].map((n) => n * unit).find((length) => length <= most);
    of('scale').hidden = false;
    of('scale').firstChild.style.width = `${metres / camera.scale / devicePixelRatio}px`;
    of('scale').lastChild.textContent = `${metres} m`;
  }
  function draw() {
    requestAnimationFrame(draw);
    if (!map || !frame) return;
    resize();
    // Between two ticks agents are drawn on their way, but no later than the last tick.
    const isSlow = isPlaying && speed() <= 2 && frame.rate > 8;
    const share = isSlow ? Math.min((performance.now() - arrived) / 1000 * opened.tickRate * speed(), 1) : 1;
    const style = getComputedStyle(document.body);
    const [paper, ink] = [style.backgroundColor, style.color]
      .map((colour) => colour.match(/[\d.]+/g).slice(0, 3).map((c) => c / 255));
    draws.draw(camera, (1 - share) / opened.tickRate, paper, ink);
    scaleBar();
    if (!draw.asked || draw.asked !== frame) { draw.asked = frame; tell('frame'); }
  }
  requestAnimationFrame(draw);
}

if (typeof document === 'undefined') work();
else page().catch((error) => {
  document.getElementById('message').textContent = error.message;
  document.getElementById('message').hidden = false;
});
