import { escapeMarkup } from "../../text/html/escape-markup.ts";
import type { ViewName } from "../../web/shell/addresses.ts";
import type { ShellData } from "../../web/shell/shell-data.ts";
import type { WebManifest } from "./web-files.ts";

/** Path of the files of the application. */
export const FILES_PATH = "/assets";

/**
 * Allows only our own scripts, styles and requests, and no framing. Trusted Types without any policy prevent text
 * from becoming markup or script.
 */
export const WEB_POLICY: string = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "frame-src 'self'",
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
].join("; ");

/** The files of the application, and the path that it is published under. */
interface PublishedFiles {
  readonly manifest: WebManifest;
  readonly basePath: string;
  /** The same page without JavaScript, or null. */
  readonly plainAddress: string | null;
}

/**
 * Renders the initial page of every view, including the data that it needs to draw itself.
 * @param view null for a path that is not a view
 */
export function renderShell(
  data: ShellData,
  view: ViewName | null,
  { manifest, basePath, plainAddress }: PublishedFiles,
): string {
  const filesPath = basePath + FILES_PATH;
  const { script, style, needed, views } = manifest;
  const files = new Set([...needed, ...((view === null ? null : views[view]) ?? [])]);
  const preloads = Array.from(files, (name) => `<link rel="modulepreload" href="${filesPath}/${name}">`);
  return `<!doctype html>
<html lang="en" data-base="${basePath}">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>archivetool</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="${filesPath}/${style}">
${preloads.join("\n")}
<script type="module" src="${filesPath}/${script}"></script>
<script type="application/json" id="shell">${dataBlock(data)}</script>
<body>
<div id="application"><noscript>${plainLink(plainAddress)}</noscript></div>
</html>
`;
}

function plainLink(address: string | null): string {
  const needed = "This page needs JavaScript.";
  if (address === null) return `${needed} Reload it when the mail has been read.`;
  return `${needed} <a href="${escapeMarkup(address)}">Read without JavaScript</a>`;
}

/** Serializes JSON that cannot close the enclosing element. */
function dataBlock(data: ShellData): string {
  return JSON.stringify(data).replace(/</g, "\\u003c");
}
