import type { z } from "zod";
import { ArchiveError } from "../../errors.ts";
import { formatText } from "../format-value.ts";
import { type RouteDefinition, type RouteRow, routeRow } from "../route-row.ts";
import type { MessagePage } from "./message-page.ts";

/** Data of the surface. */
export interface ApiSetting {
  /** `data.environment` of /health. */
  readonly environment: string;
  /** Milliseconds since the server was started. */
  uptimeMs(): number;
}

/** A route that the server registers, openapi.json describes and the contract tests call. */
export interface QueryRoute<Setting = ApiSetting> extends RouteRow<Setting, object> {
  readonly data: z.ZodType;
  /** False if the response differs from one request to the next. */
  readonly isCacheable: boolean;
  /** Part of a response that may change although the archive does not, for the ETag; "" if there is none. */
  changing(data: object): string;
}

interface RouteOf<Setting, Q extends z.ZodObject, D extends z.ZodObject, B extends z.ZodType>
  extends RouteDefinition<Setting, z.infer<D> | MessagePage, Q, B> {
  readonly data: D;
  readonly isCacheable?: boolean;
  changing?(data: z.infer<D>): string;
}

/** A route with a typed handler. */
export function queryRoute<
  Q extends z.ZodObject,
  D extends z.ZodObject,
  B extends z.ZodType = z.ZodUndefined,
  Setting = unknown,
>(route: RouteOf<Setting, Q, D, B>): QueryRoute<Setting> {
  return {
    ...routeRow(route),
    data: route.data,
    isCacheable: route.isCacheable ?? route.body === undefined,
    changing: (data) => route.changing?.(data as z.infer<D>) ?? "",
  };
}

/** Returns the value, or throws NOT_FOUND with `<Kind> <id> not found`. */
export function orNotFound<T>(
  found: T | null,
  kind: "Contact" | "Message" | "Topic" | "Thread" | "Event" | "Item",
  id: string,
): T {
  if (found === null) throw new ArchiveError("NOT_FOUND", `${kind} ${formatText(id)} not found`);
  return found;
}
