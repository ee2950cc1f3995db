import { createHash } from "node:crypto";
import { formatParameters, type Parameters } from "../../web/shell/addresses.ts";
import { Markup, markup } from "./markup.ts";

const STYLE = `
:root{color-scheme:light dark;font:16px/1.5 system-ui,sans-serif}
body{background:Canvas;color:CanvasText;max-width:52rem;margin:0 auto;padding:1rem;overflow-wrap:anywhere}
form{display:flex;flex-wrap:wrap;gap:.5rem;margin:1rem 0}
input[type=search]{flex:1 1 14rem;min-width:0}
input,select,button{font:inherit;padding:.3rem .5rem;min-height:2rem}
ol,ul{padding:0;list-style:none}
li,article{padding:.75rem 0;border-top:1px solid #8886}
h1{font-size:1.4rem}h2{font-size:1.1rem;margin:0}
p{margin:.25rem 0}
pre{white-space:pre-wrap;margin:.75rem 0;font:inherit}
dl{display:grid;grid-template-columns:max-content 1fr;gap:0 1rem;margin:.5rem 0}
dd{margin:0;min-width:0}
nav a,header a{display:inline-block;padding:.3rem 1rem .3rem 0}
summary{padding:.3rem 0}
mark{background:#fd06;color:canvastext}
`;

/** Nothing runs and nothing is loaded; forms are sent to this server only. */
export const PLAIN_POLICY = [
  "default-src 'none'",
  `style-src 'sha256-${createHash("sha256").update(STYLE).digest("base64")}'`,
  "img-src data:",
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
].join("; ");

/** Path of plain pages. */
export const PLAIN_PATH = "/plain";

/** Characters that reverse the text after them (UAX 9): a title has no element to contain them. */
const TURNING = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;

/** The addresses of an archive. */
export interface PlainAddresses {
  /** Its plain pages. */
  page(path: string, parameters?: Parameters): string;
  /** Its original messages and attachments. */
  readonly originals: string;
  /** Its explore API. */
  readonly explore: string;
}

export interface PlainPage {
  readonly title: string;
  /** The Atom feed of the results. */
  readonly feed?: string;
  readonly body: Markup;
}

export function plainPage({ title, feed, body }: PlainPage): Markup {
  return markup`<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title.replace(TURNING, "")}</title>
<link rel="icon" href="data:,">
${feed === undefined ? null : markup`<link rel="alternate" type="application/atom+xml" href="${feed}">`}
<style>${new Markup(STYLE)}</style>
<body><main>
${body}
</main></body>
</html>
`;
}

/** Paths of the other routes of an archive. */
export interface PlainRoutes {
  /** `/api`, or `/uploads/{upload_id}`. */
  readonly originals: string;
  readonly explore: string;
}

/** The addresses of an archive under the base path. */
export function plainAddresses(basePath: string, id: string, routes: PlainRoutes): PlainAddresses {
  const root = `${basePath}${PLAIN_PATH}/${encodeURIComponent(id)}`;
  return {
    page: (path, parameters = {}) => `${root}/${path}${formatParameters(parameters)}`,
    originals: basePath + routes.originals,
    explore: basePath + routes.explore,
  };
}
