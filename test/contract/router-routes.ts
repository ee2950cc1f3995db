import type { FastifyInstance } from "fastify";

export interface RouterRoute {
  readonly method: "GET" | "HEAD" | "POST" | "PATCH" | "DELETE" | "OPTIONS";
  /** With `:name` for the parameters of its path. */
  readonly url: string;
}

/** All routes of a server, from the tree that its router prints; each level is indented by four characters. */
export function routesOf(app: FastifyInstance): readonly RouterRoute[] {
  const above: string[] = [];
  return app
    .printRoutes({ commonPrefix: false })
    .split("\n")
    .flatMap((line) => {
      const found = /^(.*?)[├└]── (\S*)(?: \((.*)\))?$/.exec(line);
      if (found === null) return [];
      const depth = found[1]!.length / 4;
      above.length = depth;
      above.push(found[2]!);
      const url = above.join("");
      return (found[3]?.split(", ") ?? []).map((method) => ({ method: method as RouterRoute["method"], url }));
    });
}
