import { createHash } from "node:crypto";
import type { GraphData } from "../../graph-view/model/graph-data.ts";
import type { Archive } from "../../mail/archive.ts";
import { collectGraphData } from "./collect-graph-data.ts";
import { cutNetwork, DEFAULT_NODES } from "./network-cut.ts";
import { type PageClient, readPageClient } from "./page-client.ts";

/**
 * Renders the contact graph as one self-contained HTML file. Equal archives give equal bytes. @param limit maximum
 * contacts, 1 … 5,000, by number of messages
 */
export async function renderGraphPage(archive: Archive, limit: number = DEFAULT_NODES): Promise<string> {
  const cut = await cutNetwork(archive, limit);
  return assemblePage(await collectGraphData(archive, cut), readPageClient());
}

/** The page with its data. Mail text is in the JSON block only; the script shows it as text, never as markup. */
export function assemblePage(data: GraphData, { script, style }: PageClient): string {
  // The policy allows the one script and the one style by hash: anything injected into the page would not run.
  const policy = [
    "default-src 'none'",
    `script-src ${hashSource(script)}`,
    `style-src ${hashSource(style)}`,
    "img-src data:",
    "base-uri 'none'",
    "form-action 'none'",
  ].join("; ");
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<meta name="color-scheme" content="light dark">
<title>Contact graph</title>
<link rel="icon" href="data:,">
<style>${style}</style>
</head>
<body>
${PAGE_BODY}
<script type="application/json" id="page-data">${scriptSafeJson(data)}</script>
<script>${script}</script>
</body>
</html>
`;
}

/** JSON without `</script>` and `<!--` (HTML Standard, restrictions for contents of script elements). */
function scriptSafeJson(value: unknown): string {
  return JSON.stringify(value).replaceAll("<", "\\u003c");
}

/** CSP Level 3 hash source of an inline element's text. */
function hashSource(text: string): string {
  return `'sha256-${createHash("sha256").update(text, "utf8").digest("base64")}'`;
}

/** The fixed markup of the page. Everything else, and all that comes from mail, is filled in by the script. */
const PAGE_BODY = `<a class="skip" href="#contact-table" id="skip-to-table">Skip to the table of contacts</a>
<header>
  <div class="heading">
    <h1>Contact graph</h1>
    <p id="summary"></p>
  </div>
  <button type="button" id="theme" aria-label="Dark mode" aria-pressed="false"><span aria-hidden="true">◐</span></button>
</header>
<main id="graph-page"></main>
<noscript>This page needs JavaScript; it loads nothing from the network.</noscript>`;
