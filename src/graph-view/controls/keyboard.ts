import { communityOf, type GraphModel, NO_NODE, nameOf } from "../model/graph-model.ts";
import type { GraphState } from "../model/graph-state.ts";
import type { GraphCanvas } from "../painting/graph-canvas.ts";
import { PICTURE_WORDS as words } from "../painting/picture-words.ts";

const ZOOM_STEP = 1.3;
const PAN_STEP_PX = 60;

/** Direction of each arrow key on the screen. */
const ARROWS: ReadonlyMap<string, readonly [number, number]> = new Map([
  ["ArrowLeft", [-1, 0]],
  ["ArrowRight", [1, 0]],
  ["ArrowUp", [0, -1]],
  ["ArrowDown", [0, 1]],
]);

interface KeyboardParts {
  readonly canvas: GraphCanvas;
  readonly model: GraphModel;
  readonly state: GraphState;
  /** Spoken by screen readers. */
  readonly announcement: HTMLElement;
  readonly details: HTMLElement;
}

/** Makes the canvas usable without a pointer. */
export function listenToKeys({ canvas, model, state, announcement, details }: KeyboardParts): void {
  const { camera, element } = canvas;
  const choose = (node: number): void => {
    if (node === NO_NODE) return;
    state.select(node);
    canvas.center(node);
    const { messages } = model.data.nodes;
    announcement.textContent = words.announcement(nameOf(model, node), messages[node]!, communityOf(model, node));
  };
  const zoom = (factor: number): void => {
    camera.zoomAt(factor, camera.width / 2, camera.height / 2);
    canvas.moved();
  };
  const keys: ReadonlyMap<string, () => void> = new Map([
    ["+", () => zoom(ZOOM_STEP)],
    ["=", () => zoom(ZOOM_STEP)],
    ["-", () => zoom(1 / ZOOM_STEP)],
    ["0", () => canvas.fit()],
    ["Home", () => choose(firstVisible(state))],
    ["Enter", () => details.querySelector<HTMLElement>("button")?.focus()],
    ["Escape", () => state.select(NO_NODE)],
  ]);
  element.addEventListener("keydown", (event) => {
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    const arrow = ARROWS.get(event.key);
    const act = keys.get(event.key);
    if (arrow === undefined && act === undefined) return;
    event.preventDefault();
    if (arrow === undefined) act?.();
    else if (event.shiftKey) {
      camera.pan(-arrow[0] * PAN_STEP_PX, -arrow[1] * PAN_STEP_PX);
      canvas.moved();
    } else choose(state.selected === NO_NODE ? firstVisible(state) : nextNode(model, state, arrow));
  });
}

function firstVisible({ visible }: GraphState): number {
  return visible.indexOf(1);
}

/** Returns the nearest visible node in a direction; sideways distance counts double. */
function nextNode(
  { x, y, size }: GraphModel,
  { selected, visible }: GraphState,
  [towardsX, towardsY]: readonly [number, number],
): number {
  let best = NO_NODE;
  let least = Number.POSITIVE_INFINITY;
  for (let node = 0; node < size; node++) {
    if (node === selected || visible[node] === 0) continue;
    const dx = x[node]! - x[selected]!;
    const dy = y[node]! - y[selected]!;
    const along = dx * towardsX + dy * towardsY;
    const aside = Math.abs(dx * towardsY) + Math.abs(dy * towardsX);
    if (along <= 0 || aside > along || along + 2 * aside >= least) continue;
    least = along + 2 * aside;
    best = node;
  }
  return best;
}
