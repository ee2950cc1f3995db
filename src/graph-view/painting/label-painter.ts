import { type GraphModel, nameOf } from "../model/graph-model.ts";
import type { Theme } from "../model/graph-theme.ts";
import type { Camera } from "./camera.ts";
import { screenRadius } from "./node-painter.ts";

/** Maximum labels at once, and letters of each: more would be a page of text. */
const MAX_LABELS = 70;
const MAX_LETTERS = 26;
/** A smaller node is labeled only if it is focused. */
const LEAST_RADIUS_PX = 4;
const FONT_PX = 12;
const PADDING_PX = 3;

interface Rectangle {
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
}

/** Draws names under nodes, the most active first, without overlaps. */
export class LabelPainter {
  private readonly widths = new Map<number, number>();
  private readonly texts: readonly string[];

  constructor(private readonly model: GraphModel) {
    this.texts = Array.from({ length: model.size }, (_, node) => shortLabel(nameOf(model, node)));
  }

  /** @param always nodes that are labeled whatever their size, first. @param isShown of the others. */
  paint(context: CanvasRenderingContext2D, camera: Camera, look: LabelLook): void {
    context.font = `${FONT_PX}px ${look.theme.font}`;
    context.textAlign = "center";
    context.textBaseline = "top";
    context.lineJoin = "round";
    context.lineWidth = 3;
    context.strokeStyle = look.theme.paper;
    context.fillStyle = look.theme.ink;
    const taken: Rectangle[] = [];
    const chosen = new Set(look.always);
    for (const node of look.always) if (taken.length < MAX_LABELS) this.place(context, camera, node, taken);
    for (let node = 0; node < this.model.size && taken.length < MAX_LABELS; node++) {
      // Nodes are sorted by messages, so the rest is smaller.
      if (screenRadius(this.model, node, camera.view.scale) < LEAST_RADIUS_PX) break;
      if (look.isShown(node) && !chosen.has(node)) this.place(context, camera, node, taken);
    }
  }

  private place(
    context: CanvasRenderingContext2D,
    { view, width, height }: Camera,
    node: number,
    taken: Rectangle[],
  ): void {
    const x = this.model.x[node]! * view.scale + view.dx;
    const y = this.model.y[node]! * view.scale + view.dy + screenRadius(this.model, node, view.scale) + PADDING_PX;
    if (x < 0 || y < 0 || x > width || y > height) return;
    const text = this.texts[node]!;
    const half = this.widthOf(context, node) / 2 + PADDING_PX;
    const box = { left: x - half, top: y - 1, right: x + half, bottom: y + FONT_PX + 2 };
    if (
      taken.some(
        (other) => box.left < other.right && box.right > other.left && box.top < other.bottom && box.bottom > other.top,
      )
    )
      return;
    taken.push(box);
    context.strokeText(text, x, y);
    context.fillText(text, x, y);
  }

  private widthOf(context: CanvasRenderingContext2D, node: number): number {
    const known = this.widths.get(node);
    if (known !== undefined) return known;
    const { width } = context.measureText(this.texts[node]!);
    this.widths.set(node, width);
    return width;
  }
}

interface LabelLook {
  readonly theme: Theme;
  readonly always: readonly number[];
  readonly isShown: (node: number) => boolean;
}

function shortLabel(name: string): string {
  const letters = Array.from(name.slice(0, MAX_LETTERS * 4));
  return letters.length <= MAX_LETTERS ? name : `${letters.slice(0, MAX_LETTERS - 1).join("")}…`;
}
