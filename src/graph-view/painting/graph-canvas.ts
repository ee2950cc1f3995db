import { type GraphModel, NO_NODE, otherEnd, tiesOf } from "../model/graph-model.ts";
import type { GraphState, GraphView } from "../model/graph-state.ts";
import type { Theme } from "../model/graph-theme.ts";
import { type Box, Camera } from "./camera.ts";
import { Drag } from "./drag-forces.ts";
import { EdgeLayer } from "./edge-layer.ts";
import { LabelPainter } from "./label-painter.ts";
import { groupBySlot, paintNodes, paintRing, screenRadius } from "./node-painter.ts";

/** Milliseconds without movement after which the view counts as at rest. */
const REST_MS = 140;
/** Slack around a node within which a pointer hits it. */
const HIT_SLACK_PX = 4;
const TOUCH_SLACK_PX = 12;
/** Opacity of everything except the node in focus. */
const FADED_NODES = 0.22;
const FADED_EDGES = 0.25;
/** Maximum labeled neighbors of the focused node. */
const NEIGHBOR_LABELS = 14;
/** Maximum pixel density of the canvas: more only uses memory. */
const MOST_DENSITY = 2;

const NOTHING_MOVES: ReadonlySet<number> = new Set();

interface CanvasEnvironment {
  readonly theme: () => Theme;
  readonly isStill: () => boolean;
  /** Called after the view has changed. */
  readonly onView: (camera: Camera) => void;
}

/** Draws the graph, only when something has changed. */
export class GraphCanvas {
  readonly camera: Camera;
  private readonly context: CanvasRenderingContext2D;
  private readonly model: GraphModel;
  private readonly state: GraphState;
  private readonly edges: EdgeLayer;
  private readonly labels: LabelPainter;
  private readonly bySlot: readonly (readonly number[])[];
  private drag: Drag | null = null;
  private isHeld = false;
  private movedMs = Number.NEGATIVE_INFINITY;
  private isRequested = false;
  private readonly sizes = new ResizeObserver(() => this.resize());

  constructor(
    readonly element: HTMLCanvasElement,
    { model, state }: GraphView,
    private readonly environment: CanvasEnvironment,
  ) {
    this.context = element.getContext("2d", { alpha: false })!;
    this.model = model;
    this.state = state;
    this.camera = new Camera(environment.isStill);
    this.edges = new EdgeLayer(model, state);
    this.labels = new LabelPainter(model);
    this.bySlot = groupBySlot(model);
    state.listen((change) => {
      if (change === "filter") this.edges.forget();
      this.request();
    });
    this.sizes.observe(element);
    this.resize();
  }

  /** Stops drawing. */
  stop(): void {
    this.sizes.disconnect();
    this.isRequested = true;
  }

  /** Redraws in the next frame. */
  request(): void {
    if (this.isRequested) return;
    this.isRequested = true;
    requestAnimationFrame((nowMs) => {
      this.isRequested = false;
      this.frame(nowMs);
    });
  }

  /** Repaints after a change of colors. */
  repaint(): void {
    this.edges.forget();
    this.request();
  }

  /** The view was moved by hand. */
  moved(): void {
    this.movedMs = performance.now();
    this.request();
  }

  fit(): void {
    this.camera.fit(this.bounds(), performance.now());
    this.moved();
  }

  center(node: number): void {
    this.camera.center(this.model.x[node]!, this.model.y[node]!, 2.2, performance.now());
    this.moved();
  }

  /** The visible node under a point of the canvas, or -1; the nearest if there are several. */
  nodeAt(x: number, y: number, isTouch: boolean): number {
    const { view } = this.camera;
    const slack = isTouch ? TOUCH_SLACK_PX : HIT_SLACK_PX;
    let nearest = NO_NODE;
    let least = Number.POSITIVE_INFINITY;
    for (let node = 0; node < this.model.size; node++) {
      if (this.state.visible[node] === 0) continue;
      const distance = Math.hypot(
        this.model.x[node]! * view.scale + view.dx - x,
        this.model.y[node]! * view.scale + view.dy - y,
      );
      const outside = distance - screenRadius(this.model, node, view.scale);
      if (outside > slack || outside >= least) continue;
      nearest = node;
      least = outside;
    }
    return nearest;
  }

  startDrag(node: number): void {
    this.drag = new Drag(this.model, node, (other) => this.state.visible[other] === 1, this.environment.isStill());
    this.isHeld = true;
    this.edges.leaveOut(this.drag.moving);
  }

  /** @param x @param y point of the canvas. */
  dragTo(x: number, y: number): void {
    const [worldX, worldY] = this.camera.toWorld(x, y);
    this.drag?.moveTo(worldX, worldY);
    this.request();
  }

  endDrag(): void {
    this.isHeld = false;
    this.drag?.release();
    this.request();
  }

  private resize(): void {
    const { clientWidth, clientHeight } = this.element;
    if (clientWidth === 0 || clientHeight === 0) return;
    const density = Math.min(MOST_DENSITY, devicePixelRatio);
    const [width, height] = [Math.round(clientWidth * density), Math.round(clientHeight * density)];
    // The observer also reports the initial size; it is ignored, so nothing is painted twice.
    if (this.element.width === width && this.element.height === height && this.camera.width === clientWidth) return;
    this.element.width = width;
    this.element.height = height;
    this.context.setTransform(density, 0, 0, density, 0, 0);
    this.camera.resize(clientWidth, clientHeight, this.bounds());
    this.edges.forget();
    // Setting the size has emptied the canvas: it is painted before the browser shows it.
    this.frame(performance.now());
  }

  private bounds(): Box {
    const { x, y, radius, size } = this.model;
    let [left, top, right, bottom] = [0, 0, 0, 0];
    for (let node = 0; node < size; node++) {
      left = Math.min(left, x[node]! - radius[node]!);
      right = Math.max(right, x[node]! + radius[node]!);
      top = Math.min(top, y[node]! - radius[node]!);
      bottom = Math.max(bottom, y[node]! + radius[node]!);
    }
    return { left, top, right, bottom };
  }

  private frame(nowMs: number): void {
    const isGliding = this.camera.advance(nowMs);
    if (isGliding) this.movedMs = nowMs;
    const isDragging = this.advanceDrag();
    const isMoving = nowMs - this.movedMs < REST_MS;
    this.paint(isMoving);
    this.environment.onView(this.camera);
    if (isGliding || isDragging || isMoving) this.request();
  }

  private advanceDrag(): boolean {
    if (this.drag === null) return false;
    const isMoving = this.drag.advance();
    if (isMoving || this.isHeld) return isMoving;
    // The node has settled, so its edges are drawn again.
    this.drag = null;
    this.edges.leaveOut(NOTHING_MOVES);
    return false;
  }

  private paint(isMoving: boolean): void {
    const { theme: readTheme } = this.environment;
    const theme = readTheme();
    const { focus, visible } = this.state;
    const context = this.context;
    context.fillStyle = theme.paper;
    context.fillRect(0, 0, this.camera.width, this.camera.height);
    const near = focus === NO_NODE ? [] : this.neighbors(focus);
    this.edges.paint(context, this.camera, { theme, isMoving, opacity: focus === NO_NODE ? 1 : FADED_EDGES });
    const bySlot = this.bySlot;
    const isVisible = (node: number): boolean => visible[node] === 1;
    if (focus === NO_NODE)
      paintNodes(context, this.model, this.camera.view, { theme, opacity: 1, bySlot, isShown: isVisible });
    else this.paintFocus(focus, new Set(near), theme);
    this.paintRings(theme);
    const found = [...this.state.matches].filter(isVisible).slice(0, NEIGHBOR_LABELS);
    const always = [...(focus === NO_NODE ? [] : [focus]), ...found, ...near.slice(0, NEIGHBOR_LABELS)];
    this.labels.paint(context, this.camera, {
      theme,
      always,
      isShown: (node) => focus === NO_NODE && isVisible(node),
    });
  }

  /** Visible neighbors, strongest ties first. */
  private neighbors(node: number): readonly number[] {
    return Array.from(tiesOf(this.model, node), (tie) => otherEnd(this.model, tie, node)).filter(
      (other) => this.state.visible[other] === 1,
    );
  }

  private paintFocus(focus: number, near: ReadonlySet<number>, theme: Theme): void {
    const { view } = this.camera;
    const { visible } = this.state;
    const isNear = (node: number): boolean => node === focus || near.has(node);
    const bySlot = this.bySlot;
    paintNodes(this.context, this.model, view, {
      theme,
      opacity: FADED_NODES,
      bySlot,
      isShown: (node) => visible[node] === 1 && !isNear(node),
    });
    this.context.beginPath();
    for (const node of near) {
      this.context.moveTo(...this.camera.toScreen(this.model.x[focus]!, this.model.y[focus]!));
      this.context.lineTo(...this.camera.toScreen(this.model.x[node]!, this.model.y[node]!));
    }
    this.context.strokeStyle = theme.nodes[this.model.slot[focus]!]!;
    this.context.globalAlpha = 0.55;
    this.context.lineWidth = 1.2;
    this.context.stroke();
    paintNodes(this.context, this.model, view, {
      theme,
      opacity: 1,
      bySlot,
      isShown: (node) => visible[node] === 1 && isNear(node),
    });
  }

  private paintRings(theme: Theme): void {
    const { matches, visible, selected, hovered } = this.state;
    const { view } = this.camera;
    for (const node of matches)
      if (visible[node] === 1) paintRing(this.context, this.model, view, { node, color: theme.accent, widthPx: 2 });
    if (hovered !== NO_NODE)
      paintRing(this.context, this.model, view, { node: hovered, color: theme.ink, widthPx: 1.5 });
    if (selected !== NO_NODE)
      paintRing(this.context, this.model, view, { node: selected, color: theme.ink, widthPx: 3 });
  }
}
