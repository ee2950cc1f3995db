import { make, makeMailText } from "../model/elements.ts";
import { communityOf, type GraphModel, NO_NODE, nameOf } from "../model/graph-model.ts";
import type { GraphState } from "../model/graph-state.ts";
import type { Camera } from "../painting/camera.ts";
import { screenRadius } from "../painting/node-painter.ts";
import { PICTURE_WORDS as words } from "../painting/picture-words.ts";

const GAP_PX = 10;

/** Describes a node, next to the node under the pointer. */
export class Tooltip {
  private shown = NO_NODE;

  constructor(
    private readonly element: HTMLElement,
    private readonly model: GraphModel,
    private readonly state: GraphState,
  ) {}

  /** Follows the node while the view moves. */
  place(camera: Camera): void {
    const { hovered: node, selected } = this.state;
    // The card of the selected contact shows more.
    this.element.hidden = node === NO_NODE || node === selected;
    if (this.element.hidden) {
      this.shown = NO_NODE;
      return;
    }
    if (node !== this.shown) this.fill(node);
    const [x, y] = camera.toScreen(this.model.x[node]!, this.model.y[node]!);
    const { offsetWidth, offsetHeight, style } = this.element;
    const reach = screenRadius(this.model, node, camera.view.scale) + GAP_PX;
    const left = x + reach + offsetWidth > camera.width ? x - reach - offsetWidth : x + reach;
    const top = Math.max(4, Math.min(camera.height - offsetHeight - 4, y - offsetHeight / 2));
    style.transform = `translate(${Math.round(Math.max(4, left))}px, ${Math.round(top)}px)`;
  }

  private fill(node: number): void {
    this.shown = node;
    const { nodes } = this.model.data;
    const name = nameOf(this.model, node);
    const email = nodes.email[node]!;
    this.element.replaceChildren(
      makeMailText("strong", "", name),
      ...(email === "" || email === name ? [] : [makeMailText("span", "address", email)]),
      make(
        "span",
        "",
        words.messagesOf(nodes.messages[node]!, { sent: nodes.sent[node]!, received: nodes.received[node]! }),
      ),
      makeMailText("span", `community swatch-${this.model.slot[node]}`, communityOf(this.model, node)),
      make("span", "", words.metrics(nodes.hub[node]!, nodes.authority[node]!)),
    );
  }
}
