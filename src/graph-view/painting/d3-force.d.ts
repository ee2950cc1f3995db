/** The part of d3-force that the page uses. */
declare module "d3-force" {
  export interface ForceNode {
    index?: number;
    x: number;
    y: number;
    vx?: number;
    vy?: number;
    fx?: number | null;
    fy?: number | null;
  }

  export type Force<N extends ForceNode> = ((alpha: number) => void) & { initialize?(nodes: readonly N[]): void };

  export interface Simulation<N extends ForceNode> {
    force(name: string, force: Force<N>): this;
    alpha(): number;
    alpha(alpha: number): this;
    alphaTarget(target: number): this;
    alphaMin(): number;
    velocityDecay(decay: number): this;
    tick(): this;
    stop(): this;
  }

  export interface PositionForce<N extends ForceNode> {
    (alpha: number): void;
    strength(strength: number | ((node: N) => number)): this;
  }

  export interface CollideForce<N extends ForceNode> {
    (alpha: number): void;
    radius(radius: (node: N) => number): this;
    strength(strength: number): this;
  }

  export interface ForceLink<N extends ForceNode> {
    readonly source: N;
    readonly target: N;
  }

  export interface LinkForce<N extends ForceNode, L extends ForceLink<N>> {
    (alpha: number): void;
    distance(distance: (link: L) => number): this;
    strength(strength: number): this;
  }

  export function forceSimulation<N extends ForceNode>(nodes: N[]): Simulation<N>;
  export function forceX<N extends ForceNode>(x: (node: N) => number): PositionForce<N>;
  export function forceY<N extends ForceNode>(y: (node: N) => number): PositionForce<N>;
  export function forceCollide<N extends ForceNode>(): CollideForce<N>;
  export function forceLink<N extends ForceNode, L extends ForceLink<N>>(links: L[]): LinkForce<N, L>;
}
