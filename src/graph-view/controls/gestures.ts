import { NO_NODE } from "../model/graph-model.ts";
import type { GraphState } from "../model/graph-state.ts";
import type { GraphCanvas } from "../painting/graph-canvas.ts";

/** A pointer that moves less than this between down and up is a click. */
const CLICK_SLACK_PX = 4;
/** Zoom for one pixel of the wheel; a pinch on a touchpad comes as small wheel steps with the control key. */
const WHEEL_RATE = 0.0016;
const PINCH_RATE = 0.01;
/** Pixels per wheel step in lines (Firefox). */
const LINE_PX = 16;
const DOUBLE_CLICK_FACTOR = 1.8;

interface Point {
  readonly x: number;
  readonly y: number;
}

/** Mouse, pen and fingers on the canvas: drag a node, pan, zoom by wheel or two fingers, hover, click. */
export class Gestures {
  private readonly pointers = new Map<number, Point>();
  private down: Point | null = null;
  private hasMoved = false;
  private dragged = NO_NODE;

  constructor(
    private readonly canvas: GraphCanvas,
    private readonly state: GraphState,
  ) {
    const { element } = canvas;
    element.addEventListener("pointerdown", (event) => this.press(event));
    element.addEventListener("pointermove", (event) => this.move(event));
    element.addEventListener("pointerup", (event) => this.lift(event));
    element.addEventListener("pointercancel", (event) => this.lift(event));
    element.addEventListener("pointerleave", () => state.hover(NO_NODE));
    element.addEventListener("wheel", (event) => this.turn(event), { passive: false });
    element.addEventListener("dblclick", (event) => {
      const { x, y } = this.pointOf(event);
      if (canvas.nodeAt(x, y, false) !== NO_NODE) return;
      canvas.camera.zoomAt(DOUBLE_CLICK_FACTOR, x, y);
      canvas.moved();
    });
  }

  private pointOf(event: MouseEvent): Point {
    const { left, top } = this.canvas.element.getBoundingClientRect();
    return { x: event.clientX - left, y: event.clientY - top };
  }

  private press(event: PointerEvent): void {
    if (event.button !== 0) return;
    const point = this.pointOf(event);
    this.canvas.element.setPointerCapture(event.pointerId);
    this.pointers.set(event.pointerId, point);
    if (this.pointers.size > 1) {
      this.drop();
      return;
    }
    this.down = point;
    this.hasMoved = false;
    this.dragged = this.canvas.nodeAt(point.x, point.y, event.pointerType === "touch");
  }

  private move(event: PointerEvent): void {
    const point = this.pointOf(event);
    const before = this.pointers.get(event.pointerId);
    if (before === undefined) {
      this.hover(point, event.pointerType === "touch");
      return;
    }
    if (this.pointers.size > 1) this.pinch(event.pointerId, point);
    else this.pull(before, point);
    this.pointers.set(event.pointerId, point);
  }

  private hover({ x, y }: Point, isTouch: boolean): void {
    const node = this.canvas.nodeAt(x, y, isTouch);
    this.canvas.element.classList.toggle("over-node", node !== NO_NODE);
    this.state.hover(node);
  }

  private pull(before: Point, point: Point): void {
    if (!this.hasMoved) {
      if (this.down !== null && Math.hypot(point.x - this.down.x, point.y - this.down.y) < CLICK_SLACK_PX) return;
      this.hasMoved = true;
      this.canvas.element.classList.add("moving");
      if (this.dragged !== NO_NODE) this.canvas.startDrag(this.dragged);
    }
    if (this.dragged !== NO_NODE) {
      this.canvas.dragTo(point.x, point.y);
      return;
    }
    this.canvas.camera.pan(point.x - before.x, point.y - before.y);
    this.canvas.moved();
  }

  /** Pinch gesture: the point between both fingers stays fixed. */
  private pinch(moved: number, point: Point): void {
    const still = [...this.pointers].find(([id]) => id !== moved)?.[1];
    const before = this.pointers.get(moved);
    if (still === undefined || before === undefined) return;
    const factor =
      Math.hypot(point.x - still.x, point.y - still.y) /
      Math.max(1, Math.hypot(before.x - still.x, before.y - still.y));
    const { camera } = this.canvas;
    camera.pan((point.x - before.x) / 2, (point.y - before.y) / 2);
    camera.zoomAt(factor, (point.x + still.x) / 2, (point.y + still.y) / 2);
    this.hasMoved = true;
    this.canvas.moved();
  }

  private lift(event: PointerEvent): void {
    if (!this.pointers.delete(event.pointerId) || this.pointers.size > 0) return;
    this.canvas.element.classList.remove("moving");
    if (!this.hasMoved && event.type === "pointerup") this.state.select(this.dragged);
    this.drop();
  }

  private drop(): void {
    if (this.dragged !== NO_NODE && this.hasMoved) this.canvas.endDrag();
    this.dragged = NO_NODE;
    this.hasMoved = true;
  }

  private turn(event: WheelEvent): void {
    event.preventDefault();
    const { x, y } = this.pointOf(event);
    const pixels = event.deltaMode === WheelEvent.DOM_DELTA_LINE ? event.deltaY * LINE_PX : event.deltaY;
    this.canvas.camera.zoomAt(Math.exp(-pixels * (event.ctrlKey ? PINCH_RATE : WHEEL_RATE)), x, y);
    this.canvas.moved();
  }
}
