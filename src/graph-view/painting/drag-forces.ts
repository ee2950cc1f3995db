/// <reference path="./d3-force.d.ts" />
import { type ForceNode, forceCollide, forceLink, forceSimulation, forceX, forceY, type Simulation } from "d3-force";
import { type GraphModel, otherEnd, tiesOf } from "../model/graph-model.ts";

/** In graphs above this size only the dragged node moves. */
const LIVE_NODES = 2_000;
/** Maximum neighbors that follow a dragged node, strongest ties first. */
const FOLLOWERS = 40;
/** Strength with which a neighbor follows, and with which it returns to its place. */
const FOLLOW_STRENGTH = 0.12;
const STAY_STRENGTH = 0.06;
const HEAT = 0.5;
const FRICTION = 0.35;

interface Body extends ForceNode {
  readonly node: number;
  readonly homeX: number;
  readonly homeY: number;
}

/** A dragged node, and its neighbors on springs. */
export class Drag {
  /** Every node that moves. */
  readonly moving: ReadonlySet<number>;
  private readonly hand: Body;
  private readonly bodies: readonly Body[];
  private readonly simulation: Simulation<Body>;

  /** @param isStill true if the reader prefers reduced motion: other nodes do not follow. */
  constructor(
    private readonly model: GraphModel,
    readonly node: number,
    isShown: (node: number) => boolean,
    isStill: boolean,
  ) {
    const followers = isStill || model.size > LIVE_NODES ? [] : followersOf(model, node, isShown);
    const bodies = [node, ...followers].map((own): Body => bodyOf(model, own));
    this.bodies = bodies;
    this.hand = bodies[0]!;
    this.moving = new Set([node, ...followers]);
    const links = bodies.slice(1).map((target) => ({ source: this.hand, target, length: distance(this.hand, target) }));
    this.simulation = forceSimulation(bodies)
      .stop()
      .alpha(HEAT)
      .alphaTarget(HEAT)
      .velocityDecay(FRICTION)
      .force(
        "link",
        forceLink<Body, (typeof links)[number]>(links)
          .distance(({ length }) => length)
          .strength(FOLLOW_STRENGTH),
      )
      .force("x", forceX<Body>(({ homeX }) => homeX).strength(STAY_STRENGTH))
      .force("y", forceY<Body>(({ homeY }) => homeY).strength(STAY_STRENGTH))
      .force(
        "collide",
        forceCollide<Body>()
          .radius((body) => model.radius[body.node]! + 1.5)
          .strength(0.7),
      );
  }

  moveTo(x: number, y: number): void {
    this.hand.fx = x;
    this.hand.fy = y;
  }

  release(): void {
    this.simulation.alphaTarget(0);
  }

  /** Computes one frame. @returns whether something still moves */
  advance(): boolean {
    this.simulation.tick();
    for (const { node, x, y } of this.bodies) {
      this.model.x[node] = x;
      this.model.y[node] = y;
    }
    return this.bodies.length > 1 && this.simulation.alpha() > 0.02;
  }
}

function bodyOf(model: GraphModel, node: number): Body {
  const x = model.x[node]!;
  const y = model.y[node]!;
  return { node, x, y, homeX: x, homeY: y };
}

function distance(one: Body, other: Body): number {
  return Math.hypot(one.x - other.x, one.y - other.y);
}

function followersOf(model: GraphModel, node: number, isShown: (node: number) => boolean): readonly number[] {
  // Ties are sorted by strength within the skeleton and within the rest; the order is kept.
  return Array.from(tiesOf(model, node), (tie) => otherEnd(model, tie, node))
    .filter(isShown)
    .slice(0, FOLLOWERS);
}
