import { type ApiSetting, queryRoute } from "./query-route.ts";
import { API_VERSION, healthSchema, statisticsSchema } from "./wire.ts";
import { statisticsWire } from "./wire-records.ts";
import { noParameters } from "./wire-requests.ts";

export const health = queryRoute({
  path: "/health",
  summary: "Version and uptime",
  parameters: noParameters,
  data: healthSchema,
  isCacheable: false,
  async answer({ setting }: { readonly setting: ApiSetting }) {
    return { version: API_VERSION, uptime_ms: Math.round(setting.uptimeMs()), environment: setting.environment };
  },
});

export const statistics = queryRoute({
  path: "/stats",
  summary: "Totals and dates of the archive",
  parameters: noParameters,
  data: statisticsSchema,
  async answer({ archive }) {
    return statisticsWire(await archive.stats());
  },
});
