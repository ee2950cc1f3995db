import type { GraphModel } from "../model/graph-model.ts";
import type { GraphState } from "../model/graph-state.ts";
import type { Theme } from "../model/graph-theme.ts";
import type { Camera, View } from "./camera.ts";
import { batchEdges, type EdgeBatch } from "./edge-batches.ts";

/** Ties above this number are not stroked while the view moves: the picture of the last rest is moved instead. */
const LIVE_TIES = 5_000;
const NONE: ReadonlySet<number> = new Set();

/** The ties, cached as an image. */
export class EdgeLayer {
  private readonly canvas = document.createElement("canvas");
  private readonly context: CanvasRenderingContext2D;
  private readonly batches: readonly EdgeBatch[];
  private drawn: View | null = null;
  private without: ReadonlySet<number> = NONE;

  constructor(
    private readonly model: GraphModel,
    private readonly state: GraphState,
  ) {
    this.batches = batchEdges(model);
    this.context = this.canvas.getContext("2d")!;
  }

  /** The cached image is outdated. */
  forget(): void {
    this.drawn = null;
  }

  /** Leaves the ties of moving nodes out of the picture; they are stroked each frame. */
  leaveOut(nodes: ReadonlySet<number>): void {
    this.without = nodes;
    this.forget();
  }

  /** Paints the ties under the nodes. @param opacity of all of them. */
  paint(
    target: CanvasRenderingContext2D,
    camera: Camera,
    look: { readonly theme: Theme; readonly isMoving: boolean; readonly opacity: number },
  ): void {
    const { view } = camera;
    const isSame =
      this.drawn !== null && this.drawn.scale === view.scale && this.drawn.dx === view.dx && this.drawn.dy === view.dy;
    const mayReuse = look.isMoving && this.drawn !== null && this.model.data.ties.a.length > LIVE_TIES;
    if (!isSame && !mayReuse) this.redraw(target.canvas, camera, look.theme);
    const drawn = this.drawn ?? view;
    const ratio = view.scale / drawn.scale;
    target.globalAlpha = look.opacity;
    target.drawImage(
      this.canvas,
      view.dx - drawn.dx * ratio,
      view.dy - drawn.dy * ratio,
      camera.width * ratio,
      camera.height * ratio,
    );
    if (this.without.size > 0) this.strokeMoving(target, view, look.theme);
    target.globalAlpha = 1;
  }

  private redraw({ width, height }: HTMLCanvasElement, camera: Camera, theme: Theme): void {
    this.canvas.width = width;
    this.canvas.height = height;
    const density = width / Math.max(1, camera.width);
    this.context.setTransform(density, 0, 0, density, 0, 0);
    for (const batch of this.batches) {
      this.context.globalAlpha = batch.opacity;
      this.context.strokeStyle = batch.slot < 0 ? theme.edge : theme.nodes[batch.slot]!;
      this.context.lineWidth = batch.widthPx;
      this.strokeBatch(batch, camera);
    }
    this.drawn = camera.view;
  }

  private strokeBatch({ ties }: EdgeBatch, { view: { scale, dx, dy }, width, height }: Camera): void {
    const { x, y } = this.model;
    const { a, b } = this.model.data.ties;
    const { visible } = this.state;
    const context = this.context;
    context.beginPath();
    for (const tie of ties) {
      const one = a[tie]!;
      const other = b[tie]!;
      if (visible[one] === 0 || visible[other] === 0) continue;
      if (this.without.size > 0 && (this.without.has(one) || this.without.has(other))) continue;
      const x1 = x[one]! * scale + dx;
      const y1 = y[one]! * scale + dy;
      const x2 = x[other]! * scale + dx;
      const y2 = y[other]! * scale + dy;
      if ((x1 < 0 && x2 < 0) || (y1 < 0 && y2 < 0) || (x1 > width && x2 > width) || (y1 > height && y2 > height))
        continue;
      context.moveTo(x1, y1);
      context.lineTo(x2, y2);
    }
    context.stroke();
  }

  private strokeMoving(target: CanvasRenderingContext2D, { scale, dx, dy }: View, theme: Theme): void {
    const { x, y, data, tieStart, tieList } = this.model;
    const { visible } = this.state;
    target.beginPath();
    for (const node of this.without) {
      for (let at = tieStart[node]!; at < tieStart[node + 1]!; at++) {
        const one = data.ties.a[tieList[at]!]!;
        const other = data.ties.b[tieList[at]!]!;
        if (visible[one] === 0 || visible[other] === 0) continue;
        target.moveTo(x[one]! * scale + dx, y[one]! * scale + dy);
        target.lineTo(x[other]! * scale + dx, y[other]! * scale + dy);
      }
    }
    target.globalAlpha *= 0.25;
    target.strokeStyle = theme.edge;
    target.lineWidth = 0.8;
    target.stroke();
  }
}
