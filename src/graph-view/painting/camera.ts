/** Where the world is seen from: screen = world · scale + offset, in CSS pixels. */
export interface View {
  readonly scale: number;
  readonly dx: number;
  readonly dy: number;
}

export interface Box {
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
}

/** Free margin around the whole graph. */
const MARGIN_PX = 36;
/** Closest and farthest, as multiples of the view that shows everything. */
const MOST_ZOOM = 24;
const LEAST_ZOOM = 0.4;
/** Maximum scale of a small graph: a larger one would fill the page with discs. */
const MOST_FIT_SCALE = 2.5;
const GLIDE_MS = 380;

/** The viewport and its animation. */
export class Camera {
  view: View = { scale: 1, dx: 0, dy: 0 };
  width = 0;
  height = 0;
  private fitScale = 1;
  private glide: { readonly from: View; readonly to: View; readonly startMs: number } | null = null;

  /** @param isStill true if the reader prefers reduced motion. */
  constructor(private readonly isStill: () => boolean) {}

  toWorld(x: number, y: number): readonly [number, number] {
    const { scale, dx, dy } = this.view;
    return [(x - dx) / scale, (y - dy) / scale];
  }

  toScreen(x: number, y: number): readonly [number, number] {
    const { scale, dx, dy } = this.view;
    return [x * scale + dx, y * scale + dy];
  }

  /** 1 shows the whole graph. */
  get zoom(): number {
    return this.view.scale / this.fitScale;
  }

  resize(width: number, height: number, world: Box): void {
    const [x, y] = this.toWorld(this.width / 2, this.height / 2);
    const isFirst = this.width === 0;
    const { zoom } = this;
    this.width = width;
    this.height = height;
    this.fitScale = this.fitting(world).scale;
    this.view = isFirst ? this.fitting(world) : this.centered(x, y, this.fitScale * zoom);
  }

  fit(world: Box, nowMs: number): void {
    this.fitScale = this.fitting(world).scale;
    this.glideTo(this.fitting(world), nowMs);
  }

  pan(dx: number, dy: number): void {
    this.glide = null;
    this.view = { scale: this.view.scale, dx: this.view.dx + dx, dy: this.view.dy + dy };
  }

  /** Zooms around a point of the screen. */
  zoomAt(factor: number, x: number, y: number): void {
    this.glide = null;
    const scale = this.clamped(this.view.scale * factor);
    const ratio = scale / this.view.scale;
    this.view = { scale, dx: x - (x - this.view.dx) * ratio, dy: y - (y - this.view.dy) * ratio };
  }

  /** Centers a point of the world, at a minimum zoom. */
  center(x: number, y: number, leastZoom: number, nowMs: number): void {
    this.glideTo(this.centered(x, y, this.clamped(Math.max(this.view.scale, this.fitScale * leastZoom))), nowMs);
  }

  /** Advances an animated move. @returns whether the view is still moving. */
  advance(nowMs: number): boolean {
    if (this.glide === null) return false;
    const { from, to, startMs } = this.glide;
    const part = Math.min(1, Math.max(0, (nowMs - startMs) / GLIDE_MS));
    const eased = 1 - (1 - part) ** 3;
    const mix = (a: number, b: number): number => a + (b - a) * eased;
    // Interpolates the logarithm of the scale, and the world point in the middle follows: the path does not swerve.
    const scale = Math.exp(mix(Math.log(from.scale), Math.log(to.scale)));
    const middleX = mix((this.width / 2 - from.dx) / from.scale, (this.width / 2 - to.dx) / to.scale);
    const middleY = mix((this.height / 2 - from.dy) / from.scale, (this.height / 2 - to.dy) / to.scale);
    this.view = part === 1 ? to : this.centered(middleX, middleY, scale);
    if (part === 1) this.glide = null;
    return this.glide !== null;
  }

  private glideTo(to: View, nowMs: number): void {
    if (this.isStill()) this.view = to;
    else this.glide = { from: this.view, to, startMs: nowMs };
  }

  private centered(x: number, y: number, scale: number): View {
    return { scale, dx: this.width / 2 - x * scale, dy: this.height / 2 - y * scale };
  }

  private clamped(scale: number): number {
    return Math.max(this.fitScale * LEAST_ZOOM, Math.min(this.fitScale * MOST_ZOOM, scale));
  }

  private fitting({ left, top, right, bottom }: Box): View {
    const width = Math.max(40, this.width - 2 * MARGIN_PX);
    const height = Math.max(40, this.height - 2 * MARGIN_PX);
    const scale = Math.min(MOST_FIT_SCALE, width / Math.max(1, right - left), height / Math.max(1, bottom - top));
    return this.centered((left + right) / 2, (top + bottom) / 2, scale);
  }
}
