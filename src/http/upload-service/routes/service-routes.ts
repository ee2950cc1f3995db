import { EXPLORE_API } from "../../explore-api/explore-routes.ts";
import { ORIGINAL_CHECK_PATHS } from "../../explore-api/routes/original-check.ts";
import { ORIGINAL_PAGE_PATHS } from "../../explore-api/routes/original-pages.ts";
import { EXPORT_PATH } from "../../export-files.ts";
import { ORIGINAL_PATHS } from "../../original-files.ts";
import { PLAIN_PATHS, PLAIN_SESSION_PATH } from "../../plain-pages/mount-plain.ts";
import { QUERY_ROUTES } from "../../query-api/routes.ts";
import { WEB_PATHS } from "../../web/mount-web.ts";
import { SESSION_PATH } from "../service/session.ts";
import { ARTIFACTS } from "./artifacts.ts";
import { EXPLORE_ROUTES } from "./explore-routes.ts";
import { PASSWORDS_PATH } from "./extract-again.ts";
import { SEARCH_ALL_PATH } from "./search-all.ts";
import { INTAKE_ROUTES } from "./upload-routes.ts";

/** A route for docs, tests and errors of unknown paths. */
interface ServiceRoute {
  readonly method: "GET" | "POST" | "PATCH" | "DELETE" | "HEAD" | "OPTIONS";
  /** As in the specification, with `{upload_id}`; `*` is any path. */
  readonly path: string;
}

const get = (path: string): ServiceRoute => ({ method: "GET", path });

/** Every route of the upload service. */
export const SERVICE_ROUTES: readonly ServiceRoute[] = [
  get("/health"),
  get("/metrics"),
  ...WEB_PATHS.map(get),
  ...PLAIN_PATHS.map(get),
  { method: "POST", path: PLAIN_SESSION_PATH },
  get(SESSION_PATH),
  { method: "POST", path: SESSION_PATH },
  { method: "DELETE", path: SESSION_PATH },
  ...INTAKE_ROUTES,
  get("/uploads"),
  get(SEARCH_ALL_PATH),
  get("/uploads/{upload_id}"),
  { method: "DELETE", path: "/uploads/{upload_id}" },
  { method: "POST", path: PASSWORDS_PATH },
  ...ARTIFACTS.map(({ name }) => get(`/uploads/{upload_id}/${name}`)),
  get("/uploads/{upload_id}/wiki"),
  get("/uploads/{upload_id}/wiki/*"),
  ...EXPLORE_ROUTES.map(({ path }) => get(path)),
  ...ORIGINAL_PATHS.map((path) => get(`/uploads/{upload_id}${path}`)),
  get(`/uploads/{upload_id}${EXPORT_PATH}`),
  { method: "POST", path: `/uploads/{upload_id}${EXPORT_PATH}` },
  get("/agent-stream"),
  ...QUERY_ROUTES.map(({ method, path }): ServiceRoute => ({ method, path: `/uploads/{upload_id}/query${path}` })),
  get("/uploads/{upload_id}/query/openapi.json"),
  ...EXPLORE_API.routes.map(
    ({ method, path }): ServiceRoute => ({ method, path: `/uploads/{upload_id}/explore${path}` }),
  ),
  get("/uploads/{upload_id}/explore/openapi.json"),
  ...[...ORIGINAL_PAGE_PATHS, ...ORIGINAL_CHECK_PATHS].map((path) => get(`/uploads/{upload_id}/explore${path}`)),
];
