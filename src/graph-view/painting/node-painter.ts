import { COLORED, type GraphModel } from "../model/graph-model.ts";
import type { Theme } from "../model/graph-theme.ts";
import type { View } from "./camera.ts";

/** Smallest radius on the screen that is still visible and distinct. */
const LEAST_RADIUS_PX = 2;
/** Outline that separates touching nodes; thinner when zoomed out, where it would cover them. */
const OUTLINE_PX = 1;
const LEAST_OUTLINE_PX = 0.25;
const FULL_TURN = Math.PI * 2;

export function screenRadius(model: GraphModel, node: number, scale: number): number {
  return Math.max(LEAST_RADIUS_PX, model.radius[node]! * scale);
}

/** Paints nodes, one path per color. */
export function paintNodes(context: CanvasRenderingContext2D, model: GraphModel, view: View, look: NodeLook): void {
  context.globalAlpha = look.opacity;
  context.lineWidth = Math.max(LEAST_OUTLINE_PX, Math.min(OUTLINE_PX, view.scale * OUTLINE_PX));
  context.strokeStyle = look.theme.paper;
  for (let slot = COLORED; slot >= 0; slot--) {
    context.beginPath();
    for (const node of look.bySlot[slot]!) if (look.isShown(node)) addCircle(context, model, view, node);
    context.fillStyle = look.theme.nodes[slot]!;
    context.fill();
    context.stroke();
  }
  context.globalAlpha = 1;
}

interface NodeLook {
  readonly theme: Theme;
  readonly opacity: number;
  readonly bySlot: readonly (readonly number[])[];
  readonly isShown: (node: number) => boolean;
}

function addCircle(context: CanvasRenderingContext2D, model: GraphModel, { scale, dx, dy }: View, node: number): void {
  const radius = screenRadius(model, node, scale);
  const x = model.x[node]! * scale + dx;
  const y = model.y[node]! * scale + dy;
  context.moveTo(x + radius, y);
  context.arc(x, y, radius, 0, FULL_TURN);
}

/** A ring around a node: found, hovered, selected or focused by keyboard. */
export function paintRing(
  context: CanvasRenderingContext2D,
  model: GraphModel,
  view: View,
  ring: { readonly node: number; readonly color: string; readonly widthPx: number },
): void {
  const radius = screenRadius(model, ring.node, view.scale) + ring.widthPx / 2 + 1.5;
  context.beginPath();
  context.arc(
    model.x[ring.node]! * view.scale + view.dx,
    model.y[ring.node]! * view.scale + view.dy,
    radius,
    0,
    FULL_TURN,
  );
  context.lineWidth = ring.widthPx;
  context.strokeStyle = ring.color;
  context.stroke();
}

/** Node indices by color, the largest last, so that it is drawn on top. */
export function groupBySlot(model: GraphModel): readonly (readonly number[])[] {
  const groups: number[][] = Array.from({ length: COLORED + 1 }, () => []);
  for (let node = model.size - 1; node >= 0; node--) groups[model.slot[node]!]!.push(node);
  return groups;
}
