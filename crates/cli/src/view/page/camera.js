// What of the map is on the screen.

export class Camera {
  constructor() {
    this.x = 0; this.y = 0;          // the middle, in metres
    this.scale = 1;                  // CSS pixels in a metre
    this.width = 1; this.height = 1; // CSS pixels
    this.extent = [1, 1];            // metres
    this.pads = [0, 0, 0, 0];        // covered by panels: left, top, right, bottom
  }

  /** The whole map, between the panels. */
  fit() {
    const [left, top, right, bottom] = this.pads;
    const width = Math.max(80, this.width - left - right);
    const height = Math.max(80, this.height - top - bottom);
    this.scale = Math.min(width / this.extent[0], height / this.extent[1]);
    this.x = this.extent[0] / 2 + (right - left) / 2 / this.scale;
    this.y = this.extent[1] / 2 + (bottom - top) / 2 / this.scale;
    this.clamp();
  }

  clamp() {
    const least = 0.25 * Math.min(this.width / this.extent[0], this.height / this.extent[1]);
    this.scale = Math.min(150, Math.max(least, this.scale));
    this.x = Math.min(this.extent[0] * 1.2, Math.max(-0.2 * this.extent[0], this.x));
    this.y = Math.min(this.extent[1] * 1.2, Math.max(-0.2 * this.extent[1], this.y));
  }

  pan(dx, dy) {
    this.x -= dx / this.scale;
    this.y -= dy / this.scale;
    this.clamp();
  }

  /** Zooms so that what is at a place of the screen stays there. */
  zoom(factor, at = [this.width / 2, this.height / 2]) {
    const before = this.toMap(at);
    this.scale *= factor;
    this.clamp();
    const after = this.toMap(at);
    this.x += before[0] - after[0];
    this.y += before[1] - after[1];
  }

  toMap([x, y]) {
    return [this.x + (x - this.width / 2) / this.scale, this.y + (y - this.height / 2) / this.scale];
  }

  toScreen([x, y]) {
    return [(x - this.x) * this.scale + this.width / 2, (y - this.y) * this.scale + this.height / 2];
  }

  /** The rectangle of the map that is on the screen: least x and y, largest x and y. */
  frame() {
    return [...this.toMap([0, 0]), ...this.toMap([this.width, this.height])];
  }
}
