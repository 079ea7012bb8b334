// Reads PNG files of 8 bits a channel, so that tests can look at pixels.

import { inflateSync } from "node:zlib";

/** Width, height and pixels (four bytes each) of a PNG. */
export function decode(file) {
  const chunks = [];
  let width, height, channels;
  for (let at = 8; at < file.length;) {
    const length = file.readUInt32BE(at), kind = file.toString("latin1", at + 4, at + 8);
    const data = file.subarray(at + 8, at + 8 + length);
    if (kind === "IHDR") {
      [width, height] = [data.readUInt32BE(0), data.readUInt32BE(4)];
      channels = { 2: 3, 6: 4 }[data[9]];
      if (data[8] !== 8 || !channels || data[12] !== 0) throw new Error("another kind of PNG");
    }
    if (kind === "IDAT") chunks.push(data);
    at += length + 12;
  }
  const raw = inflateSync(Buffer.concat(chunks)), stride = width * channels;
  const rows = Buffer.alloc(height * stride), pixels = new Uint8Array(width * height * 4).fill(255);
  for (let y = 0; y < height; y++) {
    const filter = raw[y * (stride + 1)];
    for (let x = 0; x < stride; x++) {
      const left = x < channels ? 0 : rows[y * stride + x - channels];
      const up = y === 0 ? 0 : rows[(y - 1) * stride + x];
      const corner = x < channels || y === 0 ? 0 : rows[(y - 1) * stride + x - channels];
      const guess = left + up - corner;
      const [a, b, c] = [left, up, corner].map((v) => Math.abs(guess - v));
      const paeth = a <= b && a <= c ? left : b <= c ? up : corner;
      const before = [0, left, up, (left + up) >> 1, paeth][filter];
      rows[y * stride + x] = raw[y * (stride + 1) + 1 + x] + before;
    }
  }
  for (let i = 0; i < width * height; i++) {
    for (let c = 0; c < channels; c++) pixels[i * 4 + c] = rows[i * channels + c];
  }
  return { width, height, pixels };
}

/** How many pixels differ. */
export function different(a, b) {
  if (a.width !== b.width || a.height !== b.height) return Infinity;
  let count = 0;
  for (let i = 0; i < a.pixels.length; i += 4) {
    if (a.pixels[i] !== b.pixels[i] || a.pixels[i + 1] !== b.pixels[i + 1] || a.pixels[i + 2] !== b.pixels[i + 2]) count++;
  }
  return count;
}

/** How many pixels are like a colour, each channel within so much. */
export function like({ pixels }, colour, within) {
  let count = 0;
  for (let i = 0; i < pixels.length; i += 4) {
    if (colour.every((v, c) => Math.abs(pixels[i + c] - v) <= within)) count++;
  }
  return count;
}

/** The colour of a pixel. */
export function at({ width, pixels }, x, y) {
  const i = (Math.round(y) * width + Math.round(x)) * 4;
  return [...pixels.subarray(i, i + 3)];
}
